"""Our own import contracts for `lint-imports`: see `tool.importlinter` in pyproject.toml."""

from __future__ import annotations

from importlinter import Contract, ContractCheck, fields, output


class GamesApart(Contract):
    """No game imports another one, even indirectly, and shared game code imports no game.

    A game is a folder beside `families` and the rules of the same name, so there is no list of games. Import chains of
    any length count, because a module that all games import could otherwise connect them all.
    """

    type_name = "games_apart"
    folders = fields.ModuleField()
    families = fields.ModuleField()
    rules = fields.ModuleField()

    def check(self, graph, verbose):  # noqa: ANN001, ANN201, ARG002, D102 - import-linter's own signature
        inside = graph.find_children(self.folders.name) - {self.families.name}
        games = {name.rpartition(".")[2]: self._modules(graph, name) for name in inside}
        shared = self._modules(graph, self.families.name)
        broken = []
        for source, modules in {**games, "what is shared": shared}.items():
            others = set[str]().union(*(theirs for name, theirs in games.items() if name != source))
            broken += [
                chain
                for module in sorted(modules)
                for other in sorted(graph.find_upstream_modules(module) & others)
                if (chain := graph.find_shortest_chain(importer=module, imported=other))
            ]
        return ContractCheck(kept=bool(games) and not broken, metadata={"chains": broken})

    def _modules(self, graph, folder):  # noqa: ANN001 - as above
        """Return the modules of a folder, and the rules and earlier rules of the same name."""
        name = folder.rpartition(".")[2]
        own = {folder, *graph.find_descendants(folder)}
        past = {module for module in graph.modules if module.rstrip("0123456789") == f"{self.rules.name}.past.{name}"}
        return own | past | ({f"{self.rules.name}.{name}"} & graph.modules)

    def render_broken_contract(self, check):  # noqa: ANN001, ANN201, D102 - as above
        for chain in check.metadata["chains"]:
            output.print_error(" -> ".join(chain))
