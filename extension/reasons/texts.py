"""Texts of reasons: one sentence for each code; the names in braces are its parameters."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from adapter.port.write_problems import WRITE_PROBLEMS
from extension.reasons.codes import ReasonCode as Code
from extension.reasons.request_texts import REQUEST_TEXTS
from extension.reasons.trouble_texts import TROUBLE_TEXTS

REASON_TEXTS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.BLOCKED: "Blocked: {wall} {details}. This says nothing about the {subject}.",
        Code.KNOWN_ANSWER: "{key_finding}: {meaning} {details}.",
        Code.KEY_REFUSED: "{key_finding} {details}.",
        Code.SIGN_IN_REFUSED: "{file_finding} {details}.",
        Code.SAME_FOR_ANY_KEY: "Blocked: a wrong key gets the same answer {details}.",
        Code.CHECK_BASE_URL: "The answer is the same for any key {details}: check the base URL.",
        Code.REQUEST_REFUSED: "The request was refused {details}, which says nothing about the key.",
        Code.ACCEPTED_BEFORE: "The key was accepted, but this request was refused {details}.",
        Code.MODEL_PROBLEM: "The model {model} is not known there {details}, which proves nothing: set probeModel.",
        Code.REQUEST_PROBLEM: "The provider refused the request itself {details}, which proves nothing.",
        Code.CHECK_REJECTED: "The check itself was rejected {details}: this proves nothing about the account.",
        Code.CATALOGUE_PUBLIC: "The model list is public and nothing else proves the key {details}.",
        Code.BAD_STATUS: "The answer has no valid HTTP status {details}, which proves nothing.",
        Code.UNEXPECTED_BODY: "HTTP {status}, {flaw}: this proves nothing about the {subject}.",
        Code.INCOMPLETE_BODY: "HTTP {status}, but the body lacks {fields}: this proves nothing about the {subject}.",
        Code.KEY_ACCEPTED: "Key accepted {details}.",
        Code.FALLBACK_ACCEPTED: "Key accepted (HTTP {status} to the fallback request).",
        Code.NO_KEY_REQUIRED: "Works; no key required {details}.",
        Code.KEY_WANTED: "The entry has no key, and the server does not work without one {details}: add a key.",
        Code.SUM_RIGHT: "Asked {question} it answered rightly.",
        Code.SUM_WRONG: "Asked {question} it answered something else.",
        Code.SIGN_IN_ACCEPTED: "Sign-in accepted (HTTP {status}).",
        Code.SIGN_IN_MEASURED: "Sign-in accepted{windows}.",
        Code.QUOTA_THRESHOLD: "The quota is used up to its threshold: {names}{windows}.",
        Code.QUOTA_RESETS: "It resets {resets_at}.",
        Code.LIMIT_REACHED: "The vendor reports a reached limit{windows}.",
        Code.QUOTA_INCOMPLETE: (
            "Sign-in accepted (HTTP {status}) but the vendor does not report all of the quota{windows}: "
            "this proves too little to act on."
        ),
        Code.NO_ANSWER: "{silence}.",
        Code.NO_ANSWER_WITHIN: "No answer within {seconds} s.",
        Code.NO_ANSWER_BECAUSE: "{silence} ({problem}).",
        Code.GATEWAY_TROUBLE: "Not checked: {trouble}.",
        Code.CHECK_CANCELED: "Not checked: the probe was canceled before it was sent.",
        Code.INTERNAL_ERROR: "Not checked: an internal error ({error}) ended the check. See the service's log.",
        Code.NOT_IN_POOL: "No longer in the pool, so no probe was sent.",
        Code.EXCLUDED: "Excluded from checks.",
        Code.NO_CHECK_FOR_PROVIDER: "No probe for this provider ({provider}).",
        Code.NO_KEY: "The entry has no key, so there is nothing to check: add a key, or exclude the entry from checks.",
        Code.DISABLED_IN_CONFIGURATION: (
            "Disabled in the configuration, so the gateway cannot use it: enable it first."
        ),
        Code.NOT_USABLE: "The gateway cannot use the account now, so no probe was sent.",
        Code.FILE_NOT_USABLE: "The gateway cannot use this file now, so no probe was sent.",
        Code.PROJECT_UNKNOWN: "The check needs the project of this file, which the gateway does not report.",
        Code.NO_TOKEN_IN_FILE: (
            "A Vertex service account holds no token that could be sent, so it cannot be probed from here."
        ),
        Code.BASE_URL_EXTRAS: "The base URL has a query or a fragment, where no path can be added: correct {field}.",
        Code.BASE_URL_SCHEME: ("The base URL is not an http or https address, so no probe was sent: correct {field}."),
        Code.BASE_URL_MISSING: "The base URL is missing, so no probe was sent: set base-url.",
        Code.BASE_URL_MISSING_PUBLIC: (
            "The base URL is missing, so no probe was sent: set base-url, or turn familyDefaultAddress on to probe at "
            "the vendor's public address."
        ),
        Code.BASE_URL_MISSING_FILE: (
            "The base URL is missing, so no probe was sent: no check is known for files of type {type}, set base_url "
            "in the file."
        ),
        Code.BASE_URL_UNREAD: (
            "The base URL is unknown, so no probe was sent: the gateway neither lists it nor answers the file. "
            "It answers files directly in the auth folder."
        ),
        Code.TRAFFIC_WORKED: "Its own traffic succeeded {successes} times and never failed, so no probe was sent.",
        Code.TRAFFIC_WORKED_ONCE: "Its own traffic succeeded once and never failed, so no probe was sent.",
        Code.REVOKED_TWICE: "Confirmed by an earlier check, at least ten minutes ago: the file can be deleted.",
        Code.POLICY_KEEPS: "The policy keeps such accounts.",
        Code.CAN_BE_ENABLED: "Disabled, can be enabled again.",
        Code.STAYS_DISABLED: "Already disabled.",
        Code.CANNOT_BE_ENABLED: "Disabled, and cannot be enabled from here.",
        Code.ALREADY_DISABLED: "Already disabled; nothing was written.",
        Code.ALREADY_ENABLED: "Already enabled; nothing was written.",
        Code.ACCOUNT_GONE: "No longer in the pool; nothing was written.",
        Code.NO_SWITCH: "{said}",
        Code.SEVERAL_KEYS: (
            "The provider {provider} has {count} keys and one switch for all of them: manage it in the provider "
            "settings (openai-compatibility)."
        ),
        Code.STOCK_PROFILE: (
            "The gateway runs in its stock profile, which cannot switch a compatible provider: edit the configuration."
        ),
        Code.CHANGED_SINCE_CHECK: "Skipped: changed since the check; nothing was written. Inspect it again.",
        Code.NEWER_RESULT: "Skipped: there is a newer result; nothing was written. Use the newest run.",
        Code.LATER_ACTION: (
            "Skipped: a later action changed the account; nothing was written. Check its action history."
        ),
        Code.ENTRIES_CHANGED: (
            "Skipped: entries with this key were added, edited or removed since; nothing was written. Check its state."
        ),
        Code.CHANGED_BY_PERSON: "Skipped: a person has changed the account since the check; nothing was written.",
        Code.NOT_MANAGED: "Not enabled: disabled manually and not managed by automation; nothing was written.",
        Code.KEYS_NEVER_DELETED: "API keys are never deleted; nothing was written.",
        Code.REVERTS: "Reverted #{action}",
        Code.REVERTS_SEVERAL: "Reverted #{first} to #{action}",
        Code.DISABLED: "Disabled (verified).",
        Code.ENABLED: "Enabled (verified).",
        Code.TWIN_DECIDES: (
            "This release of the gateway goes by {place}, which has the same key and base URL: until that entry is "
            "switched too, nothing changes in use."
        ),
        **{Code(problem.value): text for problem, text in WRITE_PROBLEMS.items()},
        Code.NAME_AMBIGUOUS: "The name means {count} accounts: inspect again and name one of them.",
        Code.SECTION_BUSY: "{section} changes all the time, so nothing was written: try again later.",
        Code.FILE_NOT_LOADED: (
            "config.yaml has edits in {section} that the gateway has not loaded, and a write would overwrite them: "
            "nothing was written. A gateway does not notice a file that was put in the place of the one it has open: "
            "restart it, and try again."
        ),
        Code.FILE_UNREADABLE: (
            "config.yaml cannot be read as YAML (line {line}), and a write would overwrite its edits: nothing was "
            "written. The gateway goes on with what it loaded before. Correct the file, then try again; until then do "
            "not restart the gateway, which does not start with such a file."
        ),
        Code.FILE_UNUSABLE: (
            "The gateway cannot use config.yaml as it stands, and wrote nothing ({said}). It goes on with what it "
            "loaded before. Correct the file, then try again; until then do not restart the gateway, which does not "
            "start with such a file."
        ),
        Code.GATEWAY_REFUSED: "{said}",
        Code.CHANGED_SINCE_PLAN: "Skipped: the account has changed; nothing was written. Check it and try again.",
        Code.NAMES_UNKNOWN: "The gateway knows none of its names; nothing was written.",
        Code.GATEWAY_UNCERTAIN: "{said}",
        Code.GATEWAY_FAILED: "{said}",
        Code.AT_FIRST: "Uncertain at first:",
        Code.GATEWAY_SAID_BEFORE: "Before that: {said}",
        Code.NOT_VISIBLE: "The change was written, but the pool does not show it. Check the account.",
        Code.DELETED: "Deleted. The file can be restored for 30 days.",
        Code.FILE_GONE: "Deleted: the file is gone.",
        Code.FILE_CHANGED: "Not deleted: the file has changed. Check it and try again.",
        Code.FILE_MISSING: "The file no longer exists.",
        Code.NO_PLACE_FOR_COPY: "Not deleted: there is no data folder to keep its content in.",
        Code.CONTENT_NOT_KEPT: "Not deleted: its content cannot be kept ({problem}).",
        Code.NO_COPY_KEPT: "Not restored: no copy of the file is kept. Copies are kept for 30 days after a deletion.",
        Code.FILE_EXISTS_AGAIN: "Not restored: a file of this name exists again; nothing was written.",
        Code.RESTORED: "Restored (verified).",
        Code.FILE_BACK: "Restored: the file is there.",
        Code.FILE_NOT_VISIBLE: "The file was written, but the pool does not show it. Check the file.",
        Code.FOUND_DELETED: "Deleted: the next process found the file gone.",
        Code.FOUND_NOT_DELETED: "Not deleted: the process ended or was replaced before, and the file is still there.",
        Code.FOUND_RESTORED: "Restored: the next process found the file.",
        Code.FOUND_NOT_RESTORED: "Not restored: the process ended or was replaced before, and the file is not there.",
        Code.FOUND_MISSING: (
            "The process ended or was replaced during the action, and the account is no longer in the pool."
        ),
        Code.FOUND_WITHOUT_STATE: "The process ended or was replaced during the action; the gateway reports no state.",
        Code.FOUND_NOT_CHANGED: "The process ended or was replaced during the action: not {state}, and not sent again.",
        Code.FOUND_ALREADY: "Already {state}, also when the next process took over.",
        Code.FOUND_CHANGED: "Found {state} when the next process took over.",
        Code.AFTER_OUTAGE_DELETED: "Deleted: the file was found gone after the database was away.",
        Code.AFTER_OUTAGE_NOT_DELETED: "Not deleted: the database went away before, and the file is still there.",
        Code.AFTER_OUTAGE_RESTORED: "Restored: the file was found after the database was away.",
        Code.AFTER_OUTAGE_NOT_RESTORED: "Not restored: the database went away before, and the file is not there.",
        Code.AFTER_OUTAGE_MISSING: (
            "The database went away during the action, and the account is no longer in the pool."
        ),
        Code.AFTER_OUTAGE_WITHOUT_STATE: "The database went away during the action; the gateway reports no state.",
        Code.AFTER_OUTAGE_NOT_CHANGED: "The database went away during the action: not {state}, and not sent again.",
        Code.AFTER_OUTAGE_ALREADY: "Already {state}, also after the database was away.",
        Code.AFTER_OUTAGE_CHANGED: "Found {state} after the database was away.",
        Code.STOPPED: "Stopped by command.",
        Code.FINISHED_EARLY: "Finished early by command.",
        Code.WORK_CANCELED: "The work on it was canceled.",
        Code.SERVICE_CLOSED: "The service was closed during the run.",
        Code.SERVICE_ENDED: "The service ended, or could not write to its database, during the run.",
        Code.END_NOT_STORED: "Its end could not be stored: {problem}",
        Code.CONCURRENCY_LOWERED: (
            "Max concurrency was {most} instead of {limit}: the process may not open more files (ulimit -n)."
        ),
        Code.ENDED_BY_ERROR: "An internal error ({error}) ended it. See the service's log.",
        Code.ENDED_BY_TROUBLE: "{said}",
        Code.RUN_ACTIVE: "Run {run} was still active, and a pool has one run at a time.",
        Code.NOTHING_IN_SCOPE: "The pool had no account in the scope of the settings.",
        Code.SETTINGS_REFUSED: "A setting cannot be used ({field}: {said}). Save the schedule again.",
        Code.START_FAILED: "{said}",
        Code.OTHER: "{text}",
        **REQUEST_TEXTS,
        **TROUBLE_TEXTS,
    }
)
"""Sentence of each code."""

DISABLED_REASONS: Final = frozenset({Code.STAYS_DISABLED, Code.CAN_BE_ENABLED, Code.CANNOT_BE_ENABLED})
"""Reasons that hold only as long as the account is disabled."""
