import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src"
FOLDER = Path("gateway/plugin/v1")


@pytest.mark.parametrize("name", ["plugin", "go_plugin"])
def test_the_messages_are_those_of_the_contract(tmp_path: Path, name: str) -> None:
    outputs = [f"--python_out={tmp_path}", f"--pyi_out={tmp_path}"]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT}", *outputs, str(ROOT / FOLDER / f"{name}.proto")]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a list of ours

    for written in (f"{name}_pb2.py", f"{name}_pb2.pyi"):
        assert (tmp_path / FOLDER / written).read_text() == (ROOT / FOLDER / written).read_text()


def test_a_gateway_without_plugins_imports_no_grpc() -> None:
    script = "import sys, gateway.__main__; print(sorted({'grpc', 'google.protobuf'} & sys.modules.keys()))"
    done = subprocess.run(  # noqa: S603 - as above
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}
    )

    assert done.stdout.strip() == "[]"
