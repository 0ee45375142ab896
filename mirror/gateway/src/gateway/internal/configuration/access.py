"""The access a new configuration takes away from callers, ahead of everything else it changes. Pure."""

from dataclasses import replace

from gateway.internal.configuration.model import Configuration


def narrowed(current: Configuration, new: Configuration) -> Configuration | None:
    """Return the current configuration with the access a new one takes away, None where it takes none away.

    Access it gives is left out: it can wait until the file has come to rest. A new management key counts at once, in
    clear text too: whoever writes the key that is in use in place of its hash goes on with it.
    """
    management, api_keys = current.management, current.api_keys
    if management.secret_key and new.management.secret_key != management.secret_key:
        management = replace(management, secret_key=new.management.secret_key)
    if management.allow_remote and not new.management.allow_remote:
        management = replace(management, allow_remote=False)
    if new.api_keys and not set(api_keys) <= set(new.api_keys):
        api_keys = tuple(key for key in api_keys if key in new.api_keys) or new.api_keys
    elif new.api_keys and not api_keys:
        api_keys = new.api_keys  # without any key, everybody was served
    result = replace(current, management=management, api_keys=api_keys)
    return None if result == current else result
