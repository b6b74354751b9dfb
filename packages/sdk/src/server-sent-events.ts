/** One block of a stream of server-sent events; a comment has no members. */
export interface EventMessage {
  event?: string
  id?: string
  data?: string
  retryMs?: number
}

/** Reads a stream (WHATWG HTML, section 9.2.6), and cancels it when the reader leaves. */
export async function* messagesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<EventMessage, void> {
  const reader = body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (rest + decoder.decode(read.value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function messageOf(block: string): EventMessage {
  const fields = block.split('\n').map((line) => /^([^:]*):? ?(.*)$/.exec(line) ?? [])
  const all = (name: string) => fields.filter(([, each]) => each === name).map(([, , value = '']) => value)
  const retry = all('retry').at(-1) ?? ''
  const data = all('data')
  return {
    event: all('event').at(-1),
    id: all('id').at(-1),
    data: data.length > 0 ? data.join('\n') : undefined,
    retryMs: /^\d+$/.test(retry) ? Number(retry) : undefined,
  }
}
