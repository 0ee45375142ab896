"""Changing single fields of a credential file."""

from collections.abc import Mapping

from gateway.internal.configuration.model import Profile
from gateway.internal.operations.changing import Refused
from gateway.internal.operations.credential_json import changed, encoded, field_patch
from gateway.internal.pool.auth_files import parse_metadata
from gateway.internal.runtime import Runtime

_MISSING = "auth file not found"


async def patch_fields(runtime: Runtime, name: str, fields: Mapping[str, object]) -> None:
    """Change fields of a credential file and reload; every other field stays, those nobody here knows included.

    Args:
        runtime: The live gateway.
        name: id or file name.
        fields: Field to value, as JSON; dots lead into objects, names in the older spelling are understood.

    Raises:
        Refused: There is no such file (404), a field or value is impossible (400), the name is that of a configured
            key, which has no file (409; in the stock profile nothing happens), or the file cannot be written (500).
    """
    patch = field_patch(fields)
    await runtime.exclusively(lambda: _patch(runtime, name, patch))


async def _patch(runtime: Runtime, name: str, patch: Mapping[str, object]) -> None:
    await runtime.refresh()
    found = [each for each in runtime.snapshot.credentials if name in {each.id, each.file_name}]
    if not found:
        raise Refused(404, _MISSING)
    path = found[0].path
    if path is None and runtime.configuration.management_profile is Profile.STOCK:
        return  # the stock gateway changes its memory only, until the next reload
    if path is None:
        raise Refused(409, f"{name} is an API key in config.yaml; edit it in its section")
    try:
        metadata = parse_metadata(await runtime.read_file(path))
        if metadata is None:
            raise Refused(500, "failed to update auth: the file is not a JSON object any more")
        await runtime.write_file(path, encoded({"disabled": False} | changed(metadata, patch)))
    except FileNotFoundError:
        raise Refused(404, _MISSING) from None
    except ValueError:
        raise Refused(500, "failed to update auth: the file holds a number that is none") from None
    except OSError as error:
        raise Refused(500, f"failed to update auth: {(error.strerror or 'unknown error').lower()}") from None
    finally:
        await runtime.refresh()
