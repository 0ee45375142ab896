"""The commands of this project, beside those of the mirror."""

from collections.abc import Callable, Mapping

import click


def _demo() -> click.Command:
    from .demo.command import demo

    return demo


def _proto() -> click.Command:
    from .proto import proto

    return proto


def _native() -> click.Command:
    from .native.command import native

    return native


def _generate() -> click.Command:
    from .generate.command import generate

    return generate


def _stock() -> click.Command:
    from .stock_routes import stock

    return stock


COMMANDS: Mapping[str, tuple[str, Callable[[], click.Command]]] = {
    "demo": ("Run a demo pool with stand-ins for providers.", _demo),
    "generate": ("Generate what repeats the code: tables of the page and of the documents.", _generate),
    "stock": ("Hold the contract against the Go source of a stock gateway.", _stock),
    "proto": ("Generate the messages of the plugin contract.", _proto),
    "native": ("Build the library for stock gateways, and its generated files.", _native),
}
