"""How many threads a model takes: no more than a container's quota, nor than the affinity."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.generators.inprocess import processors
from groundedgen.generators.inprocess.processors import (
    MOST,
    allowed,
    asked_for,
    fitting,
    folders,
)

V1 = "12:pids:/x\n4:cpu,cpuacct:/docker/a\n3:cpuset:/docker/a\n1:name=systemd:/init.scope\n0::/\n"


@pytest.fixture
def host(tmp_path, monkeypatch):
    """`host(memberships, files)` -> the threads of a process on a machine of 64 processors."""
    monkeypatch.setattr(processors, "_processors", lambda: 64)

    def threads(memberships, files):
        for name, text in files.items():
            file = tmp_path / "mount" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        listed = tmp_path / "cgroup"
        if memberships is not None:
            listed.write_text(memberships)
        return allowed(tmp_path / "mount", listed)

    return threads


@pytest.mark.parametrize(
    ("memberships", "files", "threads"),
    [
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "250000 100000\n"}, 3),
        ("0::/\n", {"cpu.max": "50000 100000\n"}, 1),
        ("0::/\n", {"cpu.max": "max 100000\n"}, 64),
        ("0::/\n", {"cpu.max": "9900000 100000\n"}, 64),
        ("0::/../../other\n", {"cpu.max": "200000 100000\n"}, 2),
        # systemd's CPUQuota= stands on a unit or on the slice it is in; the least one counts
        ("0::/my.slice/one.scope\n", {"my.slice/cpu.max": "300000 100000"}, 3),
        (
            "0::/my.slice/one.scope\n",
            {"my.slice/one.scope/cpu.max": "max 100000", "my.slice/cpu.max": "300000 100000"},
            3,
        ),
        (
            "0::/my.slice/one.scope\n",
            {"my.slice/one.scope/cpu.max": "400000 50000", "my.slice/cpu.max": "900000 100000"},
            8,
        ),
        ("0::/mine\n", {"others/cpu.max": "100000 100000"}, 64),
        # version 1, as a container sees it (its own group at the top) and as its host does
        (V1, {"cpu/cpu.cfs_quota_us": "150000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2),
        (
            V1,
            {
                "cpu,cpuacct/docker/a/cpu.cfs_quota_us": "400000\n",
                "cpu,cpuacct/docker/a/cpu.cfs_period_us": "100000\n",
                "cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
            4,
        ),
        (V1, {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
        (V1, {"cpu/cpu.cfs_quota_us": "150000\n"}, 64),
        # not Linux, no control groups, or nothing that can be read
        (None, {}, 64),
        ("", {"cpu.max": "100000 100000"}, 64),
        ("no list\n0:\n", {"cpu.max": "100000 100000"}, 64),
        ("0::/\n", {"cpu.max": "half of it\n"}, 64),
        ("0::/\n", {"cpu.max": "100000 0\n"}, 64),
        ("0::/\n", {"cpu.max": "100000\n"}, 64),
        ("0::/\n", {"cpu.max": ""}, 64),
        ("0::/\n", {"cpu.max": "9" * 999 + " 1"}, 64),
        ("0::/\0\n", {"cpu.max": "100000 100000"}, 1),
    ],
)
def test_the_threads_of_a_model_fit_into_the_quota_of_its_container(
    host, memberships, files, threads
):
    """With a thread for each core of the host, a container that has two mostly waits."""
    assert threads == host(memberships, files)


def test_a_folder_in_the_place_of_a_file_and_one_of_bytes_are_passed_over(host, tmp_path):
    (tmp_path / "mount" / "cpu.max").mkdir(parents=True)
    assert 64 == host("0::/one\n", {"one/cpu.cfs_quota_us": "1"})
    (tmp_path / "mount" / "one" / "cpu.max").write_bytes(b"\xff\xfe")
    assert 64 == host("0::/one\n", {})


@given(st.integers(1, 512), st.lists(st.text() | st.from_regex(r"\A-?\d{1,9} \d{1,6}\Z")))
def test_there_is_always_a_thread_and_never_more_than_the_affinity_allows(count, limits):
    assert 1 <= fitting(count, limits) <= count


@given(st.integers(1, 512), st.integers(1, 600_000_000), st.integers(1_000, 1_000_000))
def test_a_quota_leaves_no_processor_of_it_unused_and_asks_for_no_further_one(count, quota, period):
    threads = fitting(count, [f"{quota} {period}"])
    assert threads == count or threads * period >= quota > (threads - 1) * period


@given(st.text())
def test_any_list_of_groups_is_read_and_none_leads_out_of_the_mount(told):
    found = folders(told)
    assert not any(".." in Path(folder).parts or Path(folder).is_absolute() for folder in found)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="there is no affinity here")
def test_the_affinity_of_the_process_counts(tmp_path):
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert 1 == allowed(tmp_path, tmp_path / "none")
    finally:
        os.sched_setaffinity(0, before)


def test_a_python_that_counts_by_itself_is_asked_and_one_without_affinity_counts_all(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(os, "process_cpu_count", lambda: 5, raising=False)
    assert 5 == allowed(tmp_path, tmp_path / "none")
    monkeypatch.setattr(os, "process_cpu_count", lambda: None)
    assert 1 == allowed(tmp_path, tmp_path / "none")
    monkeypatch.delattr(os, "process_cpu_count")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert 7 == allowed(tmp_path, tmp_path / "none")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert 1 == allowed(tmp_path, tmp_path / "none")


@pytest.mark.parametrize(
    ("told", "threads"),
    [("4", 4), (" 1\n", 1), ("+2", 2), ("1024", 1024), ("", None), ("-1", None), ("0", None)],
)
def test_llama_cpps_own_variable_says_how_many_threads(told, threads):
    assert threads == asked_for({"LLAMA_ARG_THREADS": told})


@pytest.mark.parametrize("told", ["all", "2.5", "1025", "4 cores", "٤", "9" * 5000])
def test_a_variable_that_is_no_number_of_threads_is_named_with_its_value(told):
    with pytest.raises(InputError, match="LLAMA_ARG_THREADS must be a whole number") as caught:
        asked_for({"LLAMA_ARG_THREADS": told})
    assert "bad_threads" == caught.value.code
    assert len(str(caught.value)) < 300


@given(st.text())
def test_whatever_stands_in_the_variable_is_a_number_of_threads_none_or_a_named_error(told):
    try:
        threads = asked_for({"LLAMA_ARG_THREADS": told})
    except InputError:
        return
    assert threads is None or 1 <= threads <= MOST
