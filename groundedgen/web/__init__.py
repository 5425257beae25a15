"""Answers over HTTP: events for one reader, as server-sent events or as Vercel's AI SDK reads them.

`sse` and `vercel` need nothing but the standard library; `router` needs the extra `fastapi`.
"""
