import { errors } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { request } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { currentRequestId, requestIds } from '@trestle/runtime/request'
import type { TestNats } from '@trestle/testing/nats'
import { z } from 'zod'
import { Collector, double, startNats, startReplica, stopAll, type TestReplica, until } from '../test/service.js'
import { NatsClient } from './nats.client.js'
import { NatsConnection } from './nats-connection.js'
import { RepliesTo } from './replies-to.js'

const causeOf = request({
  subject: 'shop.cause.get',
  request: z.object({}),
  reply: z.object({ requestId: z.string().optional(), traceId: z.string().optional() }),
})
const lost = request({ subject: 'shop.order.lose', request: z.object({}), reply: z.object({}) })
const nobody = request({ subject: 'nobody.number.double', request: z.object({}), reply: z.object({}) })

const asked = new Collector<number>()
const nowhere = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} }
let gate: Promise<void> | undefined

@Controller()
class ShopConsumer {
  @RepliesTo(double)
  async double({ n }: { n: number }) {
    asked.add(n)
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

describe(NatsClient, () => {
  const tracing = new NodeSDK({ autoDetectResources: false, spanProcessors: [nowhere], metricReaders: [], logRecordProcessors: [] })
  let nats: TestNats
  let shop: TestReplica
  let caller: TestReplica
  let messenger: NatsClient

  beforeAll(() => tracing.start())

  afterAll(() => tracing.shutdown())

  beforeEach(async () => {
    gate = undefined
    nats = await startNats()
    shop = await startReplica({ nats, controllers: [ShopConsumer] })
    caller = await startReplica({ service: 'caller', nats })
    messenger = caller.get(NatsClient)
    await until(() => isAnswered(messenger))
  })

  afterEach(stopAll)

  it('gets the answer', async () => {
    expect(await messenger.ask(double, { n: 21 })).toEqual({ n: 42 })
  })

  it('throws the Problem the other side threw', async () => {
    const refused = messenger.ask(double, { n: 13 })
    await expect(refused).rejects.toBeInstanceOf(Problem)
    await expect(refused).rejects.toMatchObject({
      kind: 'conflict',
      code: 'Unlucky',
      detail: 'Not thirteen.',
      errors: [{ path: 'n', message: 'unlucky' }],
    })
  })

  it('learns nothing about the insides of the other side', async () => {
    const failure = await messenger.ask(double, { n: 14 }).catch((error: Problem) => error)
    expect(failure).toMatchObject({ kind: 'internal', code: 'InternalError' })
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('learns what an error means that the other side can translate', async () => {
    shop.get(ErrorTranslators).add((error) => {
      if (!(error instanceof RangeError)) return undefined
      return new Problem('unavailable', 'ShelfFull', 'Come back later.', { headers: retryAfter(3) })
    })
    await expect(messenger.ask(double, { n: 15 })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ShelfFull',
      headers: { 'retry-after': '3' },
    })
  })

  it('has a malformed request refused before it reaches the handler', async () => {
    const before = asked.all.length
    const loose = { ...double, request: z.object({ n: z.string() }) }
    await expect(messenger.ask(loose, { n: 'one' })).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidMessage' })
    expect(asked.all).toHaveLength(before)
  })

  it('refuses an answer of another form', async () => {
    const strict = { ...double, reply: z.object({ n: z.string() }) }
    await expect(messenger.ask(strict, { n: 1 })).rejects.toMatchObject({ kind: 'bad-upstream', code: 'InvalidAnswer' })
  })

  it('hears at once that nobody answers such questions', async () => {
    const unanswered = messenger.ask(nobody, {})
    await expect(unanswered).rejects.toMatchObject({ kind: 'unavailable', code: 'ServiceUnreachable' })
    await expect(unanswered).rejects.toMatchObject({ cause: expect.any(errors.RequestError) })
  })

  it('stops waiting for an answer that does not come', async () => {
    const late = messenger.ask(lost, {})
    await expect(late).rejects.toMatchObject({ code: 'ServiceUnreachable', headers: { 'retry-after': '1' } })
    await expect(late).rejects.toMatchObject({ cause: expect.any(errors.TimeoutError) })
  })

  it('carries the request id and the trace', async () => {
    await trace.getTracer('test').startActiveSpan('asking', async (span) => {
      const answer = await requestIds.run('request-1', () => messenger.ask(causeOf, {}))
      expect(answer).toEqual({ requestId: 'request-1', traceId: span.spanContext().traceId })
      span.end()
    })
  })

  it('has each question answered by one replica', async () => {
    const second = await startReplica({ nats, controllers: [ShopConsumer] })
    await until(() => second.get(NatsConnection).client !== undefined)
    const before = asked.all.length
    await Promise.all(Array.from({ length: 100 }, () => messenger.ask(double, { n: 1 })))
    expect(asked.all).toHaveLength(before + 100)
  })

  it('still gets the answer it waits for while the service stops', async () => {
    const stopping = await startReplica({ service: 'old', nats, controllers: [ShopConsumer] })
    await shop.stop()
    await until(() => isAnswered(messenger))
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const before = asked.all.length
    const answer = messenger.ask(double, { n: 4 })
    await asked.atLeast(before + 1)
    const stopped = stopping.stop()
    resolve()
    expect(await answer).toEqual({ n: 8 })
    await stopped
  })

  it('hears at once that NATS is away, and is served when it is back', async () => {
    await nats.kill()
    await until(() => caller.get(NatsConnection).client === undefined)
    await expect(messenger.ask(double, { n: 1 })).rejects.toMatchObject({ code: 'ServiceUnreachable', cause: 'NATS is away' })
    await nats.start()
    await until(() => isAnswered(messenger))
  })

  it('starts while NATS is away', async () => {
    await nats.kill()
    const early = await startReplica({ nats, controllers: [ShopConsumer] })
    await expect(early.get(NatsClient).ask(double, { n: 1 })).rejects.toMatchObject({ code: 'ServiceUnreachable' })
    await nats.start()
    await until(() => isAnswered(early.get(NatsClient)))
  })
})

function isAnswered(messenger: NatsClient): Promise<boolean> {
  return messenger.ask(double, { n: 1 }).then(
    () => true,
    () => false,
  )
}
