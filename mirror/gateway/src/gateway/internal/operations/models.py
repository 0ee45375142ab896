"""Which models a credential serves, and which a family is known to make."""

from gateway.internal.inference.families import FAMILIES
from gateway.internal.runtime import Runtime


def list_models(runtime: Runtime, name: str) -> list[dict[str, str]]:
    """Return the models of the credential with this id or file name; [] when there is none or it is switched off."""
    found = next((each for each in runtime.snapshot.credentials if name in {each.id, each.file_name}), None)
    if found is None:
        return []
    entries = runtime.traffic.catalogue.models_of(found)
    return [
        {"display_name": entry.display_name, "id": entry.id, "owned_by": entry.owned_by, "type": entry.type}
        for entry in entries
    ]


def defined_models(channel: str) -> list[dict[str, str]] | None:
    """Return the models this version knows of a family, whether a credential serves them or not; None without one."""
    family = FAMILIES.get(channel)
    if family is None:
        return None
    common = {"object": "model", "owned_by": family.owner, "type": family.name}
    return [{"id": name, **common, "display_name": display} for name, display in family.models.items()]
