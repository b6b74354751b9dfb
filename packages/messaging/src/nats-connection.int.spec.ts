import { errors } from '@nats-io/transport-node'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { startTestNats, stopAll, waitUntil } from '../test/service.js'
import { NatsConnection } from './nats-connection.js'

afterEach(stopAll)

describe(NatsConnection, () => {
  it('subscribes before it runs the listeners of a connection', async () => {
    const { url } = await startTestNats()
    const { connection, close } = connectTo(url)
    const order: string[] = []
    connection.onConnected(() => order.push('connected'))
    connection.onFirstConnected(() => order.push('subscribe'))
    await waitUntil(() => connection.client !== undefined)
    expect(order).toEqual(['subscribe', 'connected'])
    await close()
  })

  it('runs its listeners at every connection', async () => {
    const nats = await startTestNats()
    const { connection, close } = connectTo(nats.url)
    let connections = 0
    connection.onConnected(() => connections++)
    await waitUntil(() => connections === 1)
    await nats.kill()
    await waitUntil(() => connection.client === undefined)
    await nats.start()
    await waitUntil(() => connections === 2)
    await close()
  })

  it('logs once why NATS is away', async () => {
    const { lines, close } = connectTo('nats://127.0.0.1:1')
    await waitUntil(() => lines.length > 0)
    // Two more attempts.
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(lines.map(({ level, err }) => [level, err?.type])).toEqual([[40, errors.ConnectionError.name]])
    await close()
  })

  it('leaves no timer behind when it is closed while connected', async () => {
    const { url } = await startTestNats()
    const before = timers()
    const { connection, close } = connectTo(url)
    await waitUntil(() => connection.client !== undefined)
    await close()
    await waitUntil(() => timers() <= before)
  })

  it('leaves no timer behind when it is closed between two attempts to connect', async () => {
    const before = timers()
    const { lines, close } = connectTo('nats://127.0.0.1:1')
    await waitUntil(() => lines.length > 0)
    await close()
    await waitUntil(() => timers() <= before)
  })

  it('leaves no timer behind when it is closed after NATS went away', async () => {
    const nats = await startTestNats()
    const before = timers()
    const { connection, close } = connectTo(nats.url)
    await waitUntil(() => connection.client !== undefined)
    await nats.kill()
    await waitUntil(() => connection.client === undefined)
    await close()
    await waitUntil(() => timers() <= before)
  })
})

interface Line {
  level: number
  err?: { type: string }
}

function connectTo(natsUrl: string) {
  const lines: Line[] = []
  const logger = createLogger('test', 'warn', { write: (text) => void lines.push(JSON.parse(text)) })
  const lifecycle = new Lifecycle(logger)
  const connection = new NatsConnection({ service: 'test', natsUrl }, logger, new Metrics(), lifecycle)
  connection.onModuleInit()
  return { connection, lines, close: () => lifecycle.run('close') }
}

/** How many timers keep this process alive; others of it may end in the meantime. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}
