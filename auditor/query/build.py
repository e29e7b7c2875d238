"""Builds the arrays of the index from the tables of a run; linear in their size but for sorting."""

from __future__ import annotations

import numpy as np
import polars as pl

from auditor.cluster_facts import Label, fitting, folded
from auditor.query.tables import ANYWHERE, Groups, Ints, Range, Tables

FACT = "fact"
"""Name of the column that `with_facts` adds."""

_PLACE = ("doc", "chunk_id", "start", "end", "side", "value")


def with_facts(conflicts: pl.DataFrame, clusters: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both frames with the fact that each row is about: the cluster, but where a document and its copies share one for all they
    disagree about.
    """
    label = pl.struct("entity_key", "attribute")
    shared = clusters.group_by("cluster_id").agg(label.n_unique().alias("facts")).filter(pl.col("facts") > 1)["cluster_id"]
    named = pl.concat_str("cluster_id", "entity_key", "attribute", separator="\x1f")
    clusters = clusters.with_columns(
        pl.when(pl.col("cluster_id").is_in(shared.implode())).then(named).otherwise("cluster_id").alias(FACT)
    )
    facts: dict[str, dict[Label, set[tuple[str, str]]]] = {}
    columns = ("cluster_id", "entity_key", "attribute", "value", "documents")
    for cluster, *names, value, documents in clusters.filter(pl.col(FACT) != pl.col("cluster_id")).select(columns).iter_rows():
        entity, attribute = names
        held = facts.setdefault(cluster, {}).setdefault((entity, attribute), set())
        held.update((document, folded(value)) for document in documents)
    found = []
    sides = ("doc_a", "value_a", "doc_b", "value_b")
    for cluster, entity, attribute, doc_a, value_a, doc_b, value_b in conflicts.select(
        "cluster_id", "entity_key", "attribute", *sides
    ).iter_rows():
        if cluster in facts:
            entity, attribute = fitting(facts[cluster], (entity, attribute), ((doc_a, value_a), (doc_b, value_b)))
            cluster = f"{cluster}\x1f{entity}\x1f{attribute}"
        found.append(cluster)
    return conflicts.with_columns(pl.Series(FACT, found, dtype=pl.String)), clusters


def build_tables(conflicts: pl.DataFrame, clusters: pl.DataFrame, chunks: pl.DataFrame) -> Tables:
    """The index of the conflicts, copies included. The frames are those of `with_facts`, and that of `chunks.parquet`."""
    held = clusters.with_row_index("number").select(
        pl.col("number").cast(pl.Int64).alias("value"),
        FACT,
        _plain("value").alias("text"),
        pl.col("documents").alias("doc"),
    )
    held = held.explode("doc").drop_nulls("doc")
    sides = _with_values(_sides(conflicts), held, len(clusters))
    copies = _copies(sides, held, chunks)
    places = pl.concat([sides.select(_PLACE), copies.select(_PLACE)]).sort("doc", "start", "end", "side", "value", "chunk_id")
    return _tables(places, sides, len(conflicts), len(clusters))


def _sides(conflicts: pl.DataFrame) -> pl.DataFrame:
    """Both sides of every row, ordered by side number."""
    rows = conflicts.with_row_index("row")
    halves = [
        rows.select(
            (pl.col("row").cast(pl.Int64) * 2 + number).alias("side"),
            FACT,
            _plain(f"value_{name}").alias("text"),
            pl.col(f"doc_{name}").alias("doc"),
            pl.col(f"chunk_id_{name}").alias("chunk_id"),
            pl.col(f"char_start_{name}").alias("start"),
            pl.col(f"char_end_{name}").alias("end"),
        )
        for number, name in enumerate("ab")
    ]
    return pl.concat(halves).sort("side")


def _plain(column: str) -> pl.Expr:
    """Value texts as they are compared: case and white space folded."""
    return pl.col(column).str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars()


def _with_values(sides: pl.DataFrame, held: pl.DataFrame, count: int) -> pl.DataFrame:
    """The sides with the number of the fact's value that each gives.

    The document tells which it is; where a document gives several values of one fact, the text does. A side for which neither
    does has a value of its own, which nothing else shares.
    """
    text, of_cluster = pl.col("text"), pl.col("text_right")
    likeness = pl.when(text == of_cluster).then(0).when(of_cluster.str.starts_with(text + " (“")).then(1).otherwise(2)
    found = (
        sides.join(held, on=[FACT, "doc"], how="inner")
        .with_columns(likeness.alias("likeness"))
        .sort("side", "likeness")
        .group_by("side", maintain_order=True)
        .agg(
            pl.col("value").first(),
            alone=pl.len() == 1,
            clear=(pl.col("likeness").first() < 2) & ((pl.col("likeness") == pl.col("likeness").first()).sum() == 1),
        )
        .filter(pl.col("alone") | pl.col("clear"))
    )
    sides = sides.join(found.select("side", "value"), on="side", how="left").sort("side")
    value = sides["value"].fill_null(-1).to_numpy().copy()
    same = (value[0::2] == value[1::2]).repeat(2)  # a value cannot exclude itself: what tells the sides apart is not in the table
    own = (value < 0) | same
    value[own] = count + own.nonzero()[0]
    return sides.with_columns(pl.Series("value", value, dtype=pl.Int64))


def _copies(sides: pl.DataFrame, held: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Places of the documents that give a value and are quoted in no row for it.

    They hold a copy of a quoted passage: in a chunk of the same text, else in one under the same headings. Where there is neither,
    the copy may stand anywhere in the document.
    """
    wanted = held.select("value", "doc").join(sides.select("value", "doc"), on=["value", "doc"], how="anti")
    wanted = wanted.join(sides.select("value"), on="value", how="semi")
    texts = chunks.select(
        "chunk_id",
        "doc",
        pl.col("char_start").alias("from"),
        pl.col("char_end").alias("to"),
        pl.col("heading").list.join("\x1f").alias("heading"),
        "text_hash",
    )
    quoted = sides.join(texts.drop("doc"), on="chunk_id", how="inner").unique(
        ["value", "text_hash", "heading"], keep="first", maintain_order=True
    )
    pairs = wanted.join(
        quoted.select("value", "text_hash", "heading", *((pl.col(c) - pl.col("from")).alias(c) for c in ("start", "end"))),
        on="value",
    )
    mine = texts.join(wanted.select("doc").unique(), on="doc", how="semi")
    # The position is exact only where white space agrees, so the place never reaches beyond its chunk.
    same = pairs.join(mine.drop("heading"), on=["doc", "text_hash"]).with_columns(
        pl.min_horizontal(pl.col("from") + pl.col("start"), "to").alias("start"),
        pl.min_horizontal(pl.col("from") + pl.col("end"), "to").alias("end"),
    )
    same = same.select("value", "doc", "chunk_id", "start", "end")
    rest = pairs.join(same, on=["value", "doc"], how="anti").select("value", "doc", "heading").unique(maintain_order=True)
    under = rest.join(mine, on=["doc", "heading"]).select("value", "doc", "chunk_id", start="from", end="to")
    located = pl.concat([same, under])
    lost = wanted.join(located, on=["value", "doc"], how="anti").select(
        "value",
        "doc",
        chunk_id=pl.lit(None, pl.String),
        start=pl.lit(0, pl.Int64),
        end=pl.lit(ANYWHERE, pl.Int64),
    )
    return pl.concat([located, lost]).with_columns(side=pl.lit(-1, pl.Int64))


def _tables(places: pl.DataFrame, sides: pl.DataFrame, rows: int, count: int) -> Tables:
    def column(name: str) -> Ints:
        return places[name].to_numpy().astype(np.int64)

    documents, lengths = _ranges(places["doc"])
    # Documents one above the other, so that one running maximum serves all of them.
    floor = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths) * (2 * ANYWHERE)
    reach = np.maximum.accumulate(column("end") + floor) - floor
    of_chunks = places.with_row_index("place").select(pl.col("place").cast(pl.Int64), "chunk_id", "doc")
    loose = of_chunks.filter(pl.col("chunk_id").is_null())
    of_chunks = of_chunks.drop_nulls("chunk_id").sort("chunk_id", "place")
    row_values = sides["value"].to_numpy().astype(np.int64).reshape(rows, 2)
    low, high = row_values.min(axis=1), row_values.max(axis=1)
    values = count + len(sides)
    edges, edge_of_row = np.unique(low * values + high, return_inverse=True)
    edge_values = np.stack((edges // values, edges % values), axis=1)
    numbers = np.arange(len(edges), dtype=np.int64)
    return Tables(
        documents=documents,
        chunks=_ranges(of_chunks["chunk_id"])[0],
        by_chunk=of_chunks["place"].to_numpy().astype(np.int64),
        anywhere={str(doc): part["place"].to_numpy().astype(np.int64) for (doc,), part in loose.group_by("doc")},
        start=column("start"),
        end=column("end"),
        reach=reach,
        side=column("side"),
        value=column("value"),
        edges_of=Groups.of(edge_values.T.reshape(-1), np.concatenate((numbers, numbers)), values),
        rows_of=Groups.of(edge_of_row.reshape(-1).astype(np.int64), np.arange(rows, dtype=np.int64), len(edges)),
        edge_values=edge_values,
        row_values=row_values,
    )


def _ranges(texts: pl.Series) -> tuple[dict[str, Range], Ints]:
    """Where each text stands in a series that holds equal ones side by side, and how many there are of each."""
    counted = texts.rle().struct.unnest()
    lengths = counted["len"].to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    bounds = zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    return dict(zip(counted["value"].to_list(), bounds, strict=True)), lengths
