"""The tree of rows that a transcript with parent links forms, and which of its branches were given up."""

from __future__ import annotations

from array import array

_UNKNOWN, _LIVE, _DROPPED, _KEPT = range(4)
_NO_PARENT = -1


class RowTree:
    """Rows by number, in file order. Built row by row; asked once, after the last row.

    A branch is given up only when another child of the same known parent is live, that is, lies on the way
    from the newest row of its tree to the root. A parent that the file does not hold makes a new root, not a
    branch.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._parents = array("q")
        self._present = bytearray()
        self._newest: list[int] = []
        self._state: bytearray | None = None
        self._has_live_child: bytearray = bytearray()

    def add(self, uuid: str, parent: str | None) -> int:
        """The row's number; a row that comes twice keeps its first place."""
        number = self._number(uuid)
        if not self._present[number]:
            self._present[number] = 1
            self._parents[number] = self._number(parent) if parent and parent != uuid else _NO_PARENT
            self._newest.append(number)
        return number

    def holds(self, uuid: str) -> bool:
        """Whether that row was added."""
        number = self._numbers.get(uuid)
        return number is not None and bool(self._present[number])

    def dropped(self, number: int) -> bool:
        """Whether that row lies on a branch that was given up."""
        if self._state is None:
            self._state = self._mark_live()
        state = self._state
        path: list[int] = []
        current, verdict = number, _KEPT
        visited = set()
        while current not in visited:
            if state[current] != _UNKNOWN:
                if state[current] != _LIVE:
                    verdict = state[current]
                elif path and self._has_live_child[current]:
                    verdict = _DROPPED
                break
            visited.add(current)
            path.append(current)
            parent = self._parent(current)
            if parent == _NO_PARENT:
                break
            current = parent
        for step in path:
            state[step] = verdict
        return state[number] == _DROPPED

    def _number(self, uuid: str) -> int:
        number = self._numbers.setdefault(uuid, len(self._parents))
        if number == len(self._parents):
            self._parents.append(_NO_PARENT)
            self._present.append(0)
        return number

    def _parent(self, number: int) -> int:
        parent = self._parents[number]
        return parent if parent != _NO_PARENT and self._present[parent] else _NO_PARENT

    def _mark_live(self) -> bytearray:
        """Marks the way from the newest row of each tree to its root."""
        state = bytearray(len(self._parents))
        self._has_live_child = bytearray(len(self._parents))
        roots = self._roots()
        done: set[int] = set()
        for leaf in reversed(self._newest):
            if roots[leaf] in done:
                continue
            done.add(roots[leaf])
            current = leaf
            while current != _NO_PARENT and state[current] != _LIVE:
                state[current] = _LIVE
                parent = self._parent(current)
                if parent != _NO_PARENT:
                    self._has_live_child[parent] = 1
                current = parent
        return state

    def _roots(self) -> array[int]:
        roots = array("q", [_NO_PARENT]) * len(self._parents)
        for number in self._newest:
            path, on_path, current = [], set(), number
            while roots[current] == _NO_PARENT and current not in on_path:
                path.append(current)
                on_path.add(current)
                parent = self._parent(current)
                if parent == _NO_PARENT:
                    break
                current = parent
            root = roots[current] if roots[current] != _NO_PARENT else current
            for step in path:
                roots[step] = root
        return roots
