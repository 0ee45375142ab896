"""Texts of reasons about trouble on the way: the gateway, the store and deliveries of notifications."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from extension.reasons.codes import ReasonCode as Code

TROUBLE_TEXTS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.NOT_CHECKED: "Not checked:",
        Code.SERVICE_TOO_BUSY: "This service was too busy for {seconds} s while it waited.",
        Code.ADDRESS_NOT_CALLED: "The gateway does not call this address ({details}).",
        Code.SHORT_OF_RESOURCES: "The gateway or this service is short of resources ({details}).",
        Code.NO_OWN_SWITCH: "This account cannot be enabled or disabled from here.",
        Code.BEFORE_THAT: "Before that:",
        Code.GATEWAY_UNAVAILABLE: "The gateway does not answer, or is not ready.",
        Code.GATEWAY_TIMED_OUT: "The gateway did not answer in time.",
        Code.GATEWAY_UNAUTHORISED: "The gateway refuses the management key of the service.",
        Code.GATEWAY_BANNED: "The gateway has locked the service out.",
        Code.GATEWAY_WITHOUT_IT: "The gateway does not have it any more.",
        Code.GATEWAY_CHANGED: "It changed since it was read; nothing was written.",
        Code.GATEWAY_WITHOUT_ACCOUNT: "The account is no longer in the gateway; nothing was sent.",
        Code.GATEWAY_LACKS: "The gateway lacks the capability {capability}.",
        Code.STORE_FAILED: "The data folder cannot be read or written.",
        Code.COLLECTED_ELSEWHERE: "Another process collects.",
        Code.DELIVERY_STATUS: "It answered HTTP {status}.",
        Code.DELIVERY_TIMED_OUT: "It did not answer within {seconds} seconds.",
        Code.DELIVERY_NO_CONNECTION: "No connection to it.",
        Code.DELIVERY_FAILED: "The request failed ({error}).",
        Code.DELIVERY_NOT_TAKEN: "The service did not take the message.",
        Code.DELIVERY_NO_LIBRARY: "Channels need the Apprise library.",
        Code.REMOTE_REFUSED: "The gateway takes management requests from its own machine alone.",
    }
)
"""Sentence of each code."""
