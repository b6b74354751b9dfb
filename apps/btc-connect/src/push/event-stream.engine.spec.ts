import { EventStream } from './event-stream.engine.js'

describe(EventStream, () => {
  it('sends a heartbeat after 15 seconds of silence', () => {
    const stream = streamOf()
    stream.send('event: tx\n\n', 1_000)
    for (const now of [2_000, 15_999, 16_000, 17_000, 31_000]) stream.beat(now)
    expect(String(stream.read())).toBe('event: tx\n\n:\n\n:\n\n')
  })

  it('buffers 256 KB for a slow reader, then disconnects it', () => {
    const stream = streamOf()
    for (let told = 0; told < 5; told++) stream.send('x'.repeat(64 * 1024), 0)
    expect(stream.destroyed).toBe(false)
    stream.send('x', 0)
    expect(stream.destroyed).toBe(true)
  })

  it('tracks no address without address events', () => {
    expect(streamOf({ tracked: new Map([['key', 'address']]) }).tracked.size).toBe(0)
  })

  it('can be sent to and ended again', () => {
    const stream = streamOf()
    stream.end()
    stream.end()
    stream.send('x', 0)
    stream.destroy()
    stream.send('x', 0)
    stream.end()
    expect(stream.destroyed).toBe(true)
  })
})

function streamOf(overrides: { tracked?: ReadonlyMap<string, string> } = {}): EventStream {
  return new EventStream({ userId: 'user-1', events: new Set(['tx', 'block']), tracked: new Map(), ...overrides })
}
