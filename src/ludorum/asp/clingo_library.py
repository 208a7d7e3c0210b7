"""clingo by its C interface, for grounding.

Importing its Python package takes longer than grounding most games, and asking for the arguments of a symbol through it
longer than making it. So the library inside is loaded by itself. Like the worker, this imports nothing of Ludorum.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

# What mypy takes for true: typing takes a while to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    # Plain data: a number, an identifier, a string (as bytes) or a function with its arguments.
    Symbol: TypeAlias = int | str | bytes | tuple["Symbol", ...]


def _library() -> Any:
    """The extension module inside the package clingo, which is not imported; whoever does later gets the same one."""
    name = "clingo._clingo"
    if name not in sys.modules:
        package = PathFinder.find_spec("clingo")
        assert package is not None
        found = PathFinder.find_spec(name, package.submodule_search_locations)
        if found is None:
            raise ImportError(f"{package.origin} has no {name}")
        sys.modules[name] = module_from_spec(found)
        assert found.loader is not None
        found.loader.exec_module(sys.modules[name])
    return sys.modules[name]


_ffi: Any = _library().ffi
_lib: Any = _library().lib
# Where the library puts its answers.
_symbol, _symbols, _count = _ffi.new("clingo_symbol_t*"), _ffi.new("clingo_symbol_t**"), _ffi.new("size_t*")
_text, _number, _literal = _ffi.new("char**"), _ffi.new("int*"), _ffi.new("clingo_literal_t*")
_flag, _iterator = _ffi.new("bool*"), _ffi.new("clingo_symbolic_atom_iterator_t*")


def _done(is_well: bool) -> None:
    if is_well:
        return
    if _lib.clingo_error_code() == _lib.clingo_error_bad_alloc:
        raise MemoryError
    message = _lib.clingo_error_message()
    raise RuntimeError(_ffi.string(message).decode() if message else "clingo gave no reason")


class Control:
    """A program that is grounded part by part."""

    def __init__(self) -> None:
        control = _ffi.new("clingo_control_t**")
        option = _ffi.new("char[]", b"--warn=none")
        _done(_lib.clingo_control_new(_ffi.new("char*[]", [option]), 1, _ffi.NULL, _ffi.NULL, 20, control))
        self._control = _ffi.gc(control[0], _lib.clingo_control_free)
        self._known: dict[int, Symbol] = {}
        self._observer: Any = None

    def observe(self, rule: Callable[[int, bytes], None]) -> None:
        """From now on tells every ground rule that is no choice: its head, and its literals as C integers."""
        size = _ffi.sizeof("clingo_literal_t")
        buffer = _ffi.buffer

        def told(choice: bool, heads: Any, count: int, body: Any, length: int, _: Any) -> bool:
            # The only choices are those of inputs, which head no rule.
            if not choice:
                rule(heads[0], buffer(body, length * size))
            return True

        kind = _ffi.typeof("clingo_ground_program_observer_t")
        callback = _ffi.callback(dict(kind.fields)["rule"].type, told, error=False)
        observer = _ffi.new("clingo_ground_program_observer_t*", {"rule": callback})
        self._observer = observer, callback
        _done(_lib.clingo_control_register_observer(self._control, observer, True, _ffi.NULL))

    def ground(self, part: str, program: str) -> None:
        name = _ffi.new("char[]", part.encode())
        _done(_lib.clingo_control_add(self._control, name, _ffi.NULL, 0, program.encode()))
        parts = _ffi.new("clingo_part_t[]", [{"name": name, "params": _ffi.NULL, "size": 0}])
        _done(_lib.clingo_control_ground(self._control, parts, 1, _ffi.NULL, _ffi.NULL))

    def signatures(self) -> list[tuple[str, int]]:
        """The relations that have atoms."""
        atoms = self._atoms()
        _done(_lib.clingo_symbolic_atoms_signatures_size(atoms, _count))
        found = _ffi.new("clingo_signature_t[]", _count[0])
        _done(_lib.clingo_symbolic_atoms_signatures(atoms, found, len(found)))
        return [(_ffi.string(_lib.clingo_signature_name(one)).decode(), _lib.clingo_signature_arity(one))
                for one in found]

    def atoms(self, name: str, arity: int) -> Iterator[tuple[int, int, bool]]:
        """The atoms of a relation: a handle for `plain`, the number, and whether it is a fact."""
        atoms = self._atoms()
        signature = _ffi.new("clingo_signature_t*")
        _done(_lib.clingo_signature_create(name.encode(), arity, True, signature))
        _done(_lib.clingo_symbolic_atoms_begin(atoms, signature, _iterator))
        here = _iterator[0]
        while True:
            _done(_lib.clingo_symbolic_atoms_is_valid(atoms, here, _flag))
            if not _flag[0]:
                return
            _lib.clingo_symbolic_atoms_symbol(atoms, here, _symbol)
            _lib.clingo_symbolic_atoms_literal(atoms, here, _literal)
            _lib.clingo_symbolic_atoms_is_fact(atoms, here, _flag)
            yield _symbol[0], _literal[0], _flag[0]
            _done(_lib.clingo_symbolic_atoms_next(atoms, here, _iterator))
            here = _iterator[0]

    def plain(self, symbol: int) -> Symbol:
        """A symbol as plain data, which can be marshalled; what occurs often is made once."""
        known = self._known.get(symbol)
        if known is None:
            known = self._known[symbol] = self._made(symbol)
        return known

    def arguments(self, symbol: int) -> tuple[Symbol, ...]:
        _done(_lib.clingo_symbol_arguments(symbol, _symbols, _count))
        return tuple(map(self.plain, _ffi.unpack(_symbols[0], _count[0]))) if _count[0] else ()

    def _made(self, symbol: int) -> Symbol:
        kind = _lib.clingo_symbol_type(symbol)
        if kind == _lib.clingo_symbol_type_number:
            _done(_lib.clingo_symbol_number(symbol, _number))
            return int(_number[0])
        if kind == _lib.clingo_symbol_type_string:
            _done(_lib.clingo_symbol_string(symbol, _text))
            return bytes(_ffi.string(_text[0]))
        _done(_lib.clingo_symbol_name(symbol, _text))
        name = sys.intern(_ffi.string(_text[0]).decode())
        arguments = self.arguments(symbol)
        return (name, *arguments) if arguments else name

    def _atoms(self) -> Any:
        atoms = _ffi.new("clingo_symbolic_atoms_t**")
        _done(_lib.clingo_control_symbolic_atoms(self._control, atoms))
        return atoms[0]
