import { EventEmitter } from 'node:events'
import { Channel } from './channel.engine.js'

describe(Channel, () => {
  it('carries its messages, and ignores others', () => {
    const port = new EventEmitter()
    const received: unknown[] = []
    new Channel<string, string>(port).onMessage((message) => received.push(message))
    for (const message of [{ trestle: 'ours' }, { cmd: 'NODE_HANDLE' }, null, 'text']) port.emit('message', message)
    expect(received).toEqual(['ours'])
  })

  it.each([
    ['too many messages', { messages: 3, ms: 60_000 }],
    ['a message for too long', { messages: 100, ms: -1 }],
  ])('gives up once on a reader that leaves %s unread', (_, limits) => {
    let full = 0
    const sent: object[] = []
    const port = Object.assign(new EventEmitter(), { send: (message: object) => sent.push(message) > 0 })
    const channel = new Channel<number, never>(port, () => full++, limits)
    for (let message = 0; message < 10; message++) channel.send(message)
    expect(full).toBe(1)
    expect(sent.length).toBeLessThanOrEqual(3)
  })

  it('continues with those that read', () => {
    let full = 0
    const taken: object[] = []
    const send = (message: object, done?: (error: null) => void) => {
      done?.(null)
      return taken.push(message) > 0
    }
    const channel = new Channel<number, never>(Object.assign(new EventEmitter(), { send }), () => full++, { messages: 2, ms: 60_000 })
    for (let message = 0; message < 10; message++) channel.send(message)
    expect([taken.length, full]).toEqual([10, 0])
  })
})
