"""What most sources have in common; a source may also implement the `Source` port from nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from seci.core.ports import Claim
from seci.core.session import Failure, Session


class BaseSource:
    """Claims nothing and finds nothing until a subclass says otherwise."""

    name = ""

    def claim(self, bundle: Path) -> Claim:
        return Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        raise NotImplementedError

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        return iter(())

    def places(self, home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Where `discover` looks, whether it is there or not; () where a source finds nothing by itself."""
        return ()

    def side_files(self, bundle: Path) -> Iterator[Path]:
        """Files and folders that `read` takes in together with the bundle, so that a walk does not offer them
        again."""
        return iter(())
