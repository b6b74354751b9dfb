import { errors } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { MessagePattern } from '@nestjs/microservices'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { broadcast, request, type ServiceRequest } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { currentRequestId, requestIds } from '@trestle/runtime/request'
import type { TestNats } from '@trestle/testing/nats'
import { firstValueFrom } from 'rxjs'
import { z } from 'zod'
import { Collector, double, startReplica, startTestNats, stopAll, type TestReplica, waitUntil } from '../test/service.js'
import { Broadcasts } from './broadcasts.js'
import { NatsClient } from './nats.client.js'
import { NatsConnection } from './nats-connection.js'
import { RepliesTo } from './replies-to.js'

const causeOf = request({
  subject: 'shop.cause.get',
  request: z.object({}),
  reply: z.object({ requestId: z.string().optional(), traceId: z.string().optional() }),
})
const lost = request({ subject: 'shop.order.lose', request: z.object({}), reply: z.object({}) })
const restocked = broadcast({ subject: '*.item.restocked', payload: z.object({ n: z.int() }) })
const nobody = request({ subject: 'nobody.number.double', request: z.object({}), reply: z.object({}) })

const requests = new Collector<number>()
const nowhere = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} }
let gate: Promise<void> | undefined

@Controller()
class ShopConsumer {
  @RepliesTo(double)
  async double({ n }: { n: number }) {
    requests.add(n)
    await gate
    if (n === 13) throw new Problem('conflict', 'Unlucky', 'Not thirteen.', { errors: [{ path: 'n', message: 'unlucky' }] })
    if (n === 14) throw new Error('password=secret')
    if (n === 15) throw new RangeError('the shelf is full')
    return { n: 2 * n }
  }

  @RepliesTo(causeOf)
  cause() {
    return { requestId: currentRequestId(), traceId: trace.getActiveSpan()?.spanContext().traceId }
  }

  @RepliesTo(lost)
  lose() {
    return new Promise<Record<string, never>>(() => {})
  }
}

@Controller()
class BareConsumer {
  @MessagePattern('shop.bare.get')
  get() {}
}

describe(NatsClient, () => {
  const tracing = new NodeSDK({ autoDetectResources: false, spanProcessors: [nowhere], metricReaders: [], logRecordProcessors: [] })
  let nats: TestNats
  let shop: TestReplica
  let caller: TestReplica
  let client: NatsClient

  beforeAll(() => tracing.start())

  afterAll(() => tracing.shutdown())

  beforeEach(async () => {
    gate = undefined
    nats = await startTestNats()
    shop = await startReplica({ nats, controllers: [ShopConsumer] })
    caller = await startReplica({ service: 'caller', nats })
    client = caller.get(NatsClient)
    await waitUntil(() => hasReply(client))
  })

  afterEach(stopAll)

  it('resolves to the reply', async () => {
    expect(await send(double, { n: 21 })).toEqual({ n: 42 })
  })

  it('fails with the Problem that the other service threw', async () => {
    const failing = send(double, { n: 13 })
    await expect(failing).rejects.toBeInstanceOf(Problem)
    await expect(failing).rejects.toMatchObject({
      kind: 'conflict',
      code: 'Unlucky',
      detail: 'Not thirteen.',
      errors: [{ path: 'n', message: 'unlucky' }],
    })
  })

  it('reveals no internals of the other service', async () => {
    const failure = await send(double, { n: 14 }).catch((error: Problem) => error)
    expect(failure).toMatchObject({ kind: 'internal', code: 'InternalError' })
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('fails with the Problem that the other service translates an error to', async () => {
    shop.get(ErrorTranslators).add((error) => {
      if (!(error instanceof RangeError)) return undefined
      return new Problem('unavailable', 'ShelfFull', 'Come back later.', { headers: retryAfter(3) })
    })
    await expect(send(double, { n: 15 })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ShelfFull',
      headers: { 'retry-after': '3' },
    })
  })

  it('fails before the handler runs when the request is malformed', async () => {
    const before = requests.all.length
    const loose = { ...double, request: z.object({ n: z.string() }) }
    await expect(send(loose, { n: 'one' })).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidMessage' })
    expect(requests.all).toHaveLength(before)
  })

  it('fails when the reply is malformed', async () => {
    const strict = { ...double, reply: z.object({ n: z.string() }) }
    await expect(send(strict, { n: 1 })).rejects.toMatchObject({ kind: 'bad-upstream', code: 'InvalidAnswer' })
  })

  it('fails at once when no service replies to the subject', async () => {
    const failing = send(nobody, {})
    await expect(failing).rejects.toMatchObject({ kind: 'unavailable', code: 'ServiceUnreachable' })
    await expect(failing).rejects.toMatchObject({ cause: expect.any(errors.RequestError) })
  })

  it('fails after half a second without a reply', async () => {
    const failing = send(lost, {})
    await expect(failing).rejects.toMatchObject({ code: 'ServiceUnreachable', headers: { 'retry-after': '1' } })
    await expect(failing).rejects.toMatchObject({ cause: expect.any(errors.TimeoutError) })
  })

  it('carries the request id and the trace', async () => {
    await trace.getTracer('test').startActiveSpan('sending', async (span) => {
      const reply = await requestIds.run('request-1', () => send(causeOf, {}))
      expect(reply).toEqual({ requestId: 'request-1', traceId: span.spanContext().traceId })
      span.end()
    })
  })

  it('sends each request to one replica', async () => {
    const second = await startReplica({ nats, controllers: [ShopConsumer] })
    await waitUntil(() => second.get(NatsConnection).client !== undefined)
    const before = requests.all.length
    await Promise.all(Array.from({ length: 100 }, () => send(double, { n: 1 })))
    expect(requests.all).toHaveLength(before + 100)
  })

  it('gets the reply of a service that is stopping', async () => {
    const stopping = await startReplica({ service: 'old', nats, controllers: [ShopConsumer] })
    await shop.stop()
    await waitUntil(() => hasReply(client))
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const before = requests.all.length
    const reply = send(double, { n: 4 })
    await requests.atLeast(before + 1)
    const stopped = stopping.stop()
    resolve()
    expect(await reply).toEqual({ n: 8 })
    await stopped
  })

  it('fails at once while NATS is away, and works when it is back', async () => {
    await nats.kill()
    await waitUntil(() => caller.get(NatsConnection).client === undefined)
    await expect(send(double, { n: 1 })).rejects.toMatchObject({ code: 'ServiceUnreachable', cause: 'NATS is away' })
    await nats.start()
    await waitUntil(() => hasReply(client))
  })

  it('starts while NATS is away', async () => {
    await nats.kill()
    const early = await startReplica({ nats, controllers: [ShopConsumer] })
    await expect(firstValueFrom(early.get(NatsClient).send(double, { n: 1 }))).rejects.toMatchObject({ code: 'ServiceUnreachable' })
    await nats.start()
    await waitUntil(() => hasReply(early.get(NatsClient)))
  })

  it('emits a broadcast to every process of its service', async () => {
    const other = await startReplica({ service: 'caller', nats })
    const [heard, heardByOther] = [new Collector<number>(), new Collector<number>()]
    caller.get(Broadcasts).subscribe(restocked, ({ n }) => heard.add(n))
    other.get(Broadcasts).subscribe(restocked, ({ n }) => heardByOther.add(n))
    await waitUntil(() => {
      client.emit(restocked, { n: 1 })
      return heard.all.length > 0 && heardByOther.all.length > 0
    })
  })

  it('does not let a service start with a handler that the transporter does not know', async () => {
    await expect(startReplica({ nats, controllers: [BareConsumer] })).rejects.toThrow(
      'The handler of shop.bare.get needs @RepliesTo, @Consumes or @ConsumesBatch.',
    )
  })

  function send<R extends ServiceRequest>(request: R, data: z.input<R['request']>) {
    return firstValueFrom(client.send(request, data))
  }
})

function hasReply(client: NatsClient): Promise<boolean> {
  return firstValueFrom(client.send(double, { n: 1 })).then(
    () => true,
    () => false,
  )
}
