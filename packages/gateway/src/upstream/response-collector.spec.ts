import fc from 'fast-check'
import { ResponseCollector } from './response-collector.js'
import { ResponseReader } from './response-reader.js'

const MEBIBYTE = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\n'
/** What a connection reads to where no other place is wanted: overwritten by every read. */
const SHARED = Buffer.alloc(64 * 1024)

class Collected extends ResponseCollector {
  body?: Buffer
  error?: Error

  constructor(maxBytes = 64 * MEBIBYTE) {
    super({ timeoutMs: 60_000, maxBytes })
  }

  protected override errorOfStatus(): undefined {
    return undefined
  }

  protected override onCollected(body: Buffer): void {
    this.body = body
  }

  protected override onFailed(error: Error): void {
    this.error = error
  }
}

describe(ResponseCollector, () => {
  it('has every body as it was sent, in one buffer of its length, whatever its chunks and wherever it is read to', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 150_000 }), { minLength: 1, maxLength: 4 })
    const reads = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(lengths, fc.boolean(), reads, (parts, isChunked, sizes) => {
        const bodies = parts.map((length, part) => Buffer.from(Array.from({ length }, (_, at) => (at * 7 + part) % 251)))
        const whole = Buffer.concat(bodies)
        const { body } = collect(isChunked ? chunked(bodies) : withLength(whole), sizes)
        expect(body?.equals(whole)).toBe(true)
        expect(body?.buffer.byteLength === body?.length || whole.length < Buffer.poolSize).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('reads the rest of a long body straight to its place', () => {
    const { direct } = collect(withLength(Buffer.alloc(MEBIBYTE)), [50_000])
    expect(direct).toBeGreaterThan(0.9 * MEBIBYTE)
  })

  it.each([
    ['a body', `${OK}content-length: 60000000\r\n\r\n`],
    ['a chunk', `${OK}transfer-encoding: chunked\r\n\r\nfffffffff\r\n`],
  ])('sets no more than 4 MiB aside for %s that is only announced', (_, head) => {
    const reader = new ResponseReader()
    reader.expect(new Collected())
    reader.read(Buffer.from(head))
    expect(reader.target?.length).toBeLessThanOrEqual(4 * MEBIBYTE)
  })

  it('is told where a body is longer than it may be, and sets nothing aside for that', () => {
    const collected = new Collected(100_000)
    const reader = new ResponseReader()
    reader.expect(collected)
    reader.read(Buffer.concat([Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\nfffff\r\n`), Buffer.alloc(90_000)]))
    expect(reader.target?.length).toBe(10_000)
    reader.read(reader.target ?? SHARED)
    expect(reader.target).toBeUndefined()
    reader.read(Buffer.alloc(1))
    expect(collected.error).toMatchObject({ kind: 'too-large' })
  })

  it('reads nothing more to where it has given up', () => {
    const collected = new Collected()
    const reader = new ResponseReader()
    reader.expect(collected)
    reader.read(Buffer.from(`${OK}content-length: 100000\r\n\r\n`))
    expect(reader.target?.length).toBe(100_000)
    collected.abort()
    expect(reader.target).toBeUndefined()
  })
})

/** What a connection makes of these bytes, which come in parts of these sizes at most; and how many it read straight to their place. */
function collect(bytes: Buffer, sizes: readonly number[]): { body?: Buffer; direct: number } {
  const collected = new Collected()
  const reader = new ResponseReader()
  reader.expect(collected)
  let direct = 0
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const { target } = reader
    const into = target ?? SHARED
    const count = Math.min(into.length, sizes[turn % sizes.length] ?? 1)
    const read = bytes.copy(into, 0, at, at + count)
    reader.read(into.subarray(0, read))
    if (target) direct += read
    else SHARED.fill(0)
    at += read
  }
  return { body: collected.body, direct }
}

function withLength(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${OK}content-length: ${body.length}\r\n\r\n`), body])
}

function chunked(parts: readonly Buffer[]): Buffer {
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return Buffer.concat([Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\n`), ...chunks, Buffer.from('0\r\n\r\n')])
}
