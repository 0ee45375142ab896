from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from adapter.contract import expectations
from adapter.contract.expectations import OwnPath
from extension.plugin.routes import routes
from extension.plugin.v1.plugin_pb2 import ACCESS_OPEN
from tests.repository.tracked import ROOT
from tools.project.native import generated as generator
from tools.project.native.building import CONTRACT, CRATE, ForeignSource, cargo_lock, kept_lock, write_records
from tools.project.native.generated import is_stale
from tools.project.native.records import ProtoUnsupported, rust_records

RESOURCES = "/v0/resource/plugins/poolkeeper"


def test_the_manifest_of_the_library_is_up_to_date() -> None:
    assert not is_stale(ROOT)


def test_a_new_own_path_without_a_new_manifest_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    row = OwnPath("something-new", ("GET",), "a test")
    monkeypatch.setattr(expectations, "OWN", (*expectations.OWN, row))
    monkeypatch.setattr(generator, "OWN", (*expectations.OWN,))

    assert is_stale(ROOT)


def test_a_new_field_of_the_contract_is_in_the_records_of_the_next_build(tmp_path: Path) -> None:
    shutil.copytree(ROOT / CONTRACT, tmp_path / CONTRACT)
    records = tmp_path / CRATE / "src" / "_generated_contract.rs"
    records.parent.mkdir(parents=True)
    write_records(tmp_path)
    assert "pub more: bool" not in records.read_text("utf-8")
    proto = tmp_path / CONTRACT / "plugin.proto"
    proto.write_text(proto.read_text("utf-8").replace("message UsageAck {}", "message UsageAck { bool more = 1; }"))

    write_records(tmp_path)
    assert "pub more: bool" in records.read_text("utf-8")


def test_the_manifest_declares_what_the_process_answers() -> None:
    declared = json.loads((ROOT / CRATE / "manifest.json").read_text("utf-8"))
    guarded = {(row["Method"], f"/v0/management{row['Path']}") for row in declared["routes"]}
    opened = {("GET", f"{RESOURCES}{row['Path']}") for row in declared["resources"]}
    served = routes("poolkeeper", RESOURCES)

    assert guarded == {(row.method, row.path) for row in served if row.access != ACCESS_OPEN}
    assert opened == {(row.method, row.path) for row in served if row.access == ACCESS_OPEN}


def test_no_declared_path_is_one_a_gateway_rejects() -> None:
    declared = json.loads((ROOT / CRATE / "manifest.json").read_text("utf-8"))

    for row in (*declared["routes"], *declared["resources"]):
        assert not set(row["Path"]) & set(" :*")
        assert not row["Path"].endswith("/")


def records_of(folder: Path, text: str) -> str:
    (folder / "x.proto").write_text(text, encoding="utf-8")
    return rust_records(folder / "x.proto")


def test_every_kind_of_field_becomes_a_record(tmp_path: Path) -> None:
    text = """
    syntax = "proto3";  // a comment; with } marks
    message Outer { message Inner { bool yes = 1; } enum Kind { NONE = 0; SOME = 4; }
      repeated string names = 1; Inner inner = 2; Kind kind = 3; repeated Inner all = 4; reserved 5;
      oneof part { bytes data = 6; Inner more = 7; } }
    service Skipped { rpc Call(Outer) returns (stream Outer); }
    """
    made = records_of(tmp_path, text)

    for line in (
        "pub names: Vec<String>",
        "pub inner: Option<OuterInner>",
        "pub kind: i32",
        "pub all: Vec<OuterInner>",
        '#[prost(oneof = "OuterPart", tags = "6, 7")]',
        "Data(Vec<u8>)",
        "pub const SOME: i32 = 4;",
    ):
        assert line in made


@pytest.mark.parametrize("field", ["map<string, string> m = 1;", "double d = 1;", "optional bool b = 1;"])
def test_a_kind_of_field_that_is_not_translated_is_an_error(tmp_path: Path, field: str) -> None:
    with pytest.raises(ProtoUnsupported):
        records_of(tmp_path, f'syntax = "proto3"; message M {{ {field} }}')


def test_the_lock_keeps_every_checksum_and_no_registry() -> None:
    lock = (ROOT / CRATE / "crates.lock").read_text("utf-8")

    assert lock.count("checksum = ") == lock.count("[[package]]") - 1
    assert "registry" not in lock
    assert kept_lock(cargo_lock(lock)) == lock


def test_a_crate_from_elsewhere_is_refused() -> None:
    with pytest.raises(ForeignSource):
        kept_lock('[[package]]\nname = "x"\nsource = "git+https://example.org/x"\n')
