import { connect, type Msg, type MsgHdrs, type NatsConnection as RawConnection } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { request } from '@trestle/contracts/message'
import { inboxPrefix } from '@trestle/contracts/nats/identities'
import { Problem } from '@trestle/problem/problem'
import type { TestNats } from '@trestle/testing/nats'
import { firstValueFrom } from 'rxjs'
import { z } from 'zod'
import { refusalsOf, startSigner, untilConnected } from '../test/rights.js'
import { OTHER_ROOT, ROOT, startReplica, startTestNats, stopAll, type TestReplica } from '../test/service.js'
import { toHeaders } from './message-context.js'
import { NatsClient } from './nats.client.js'
import { RepliesTo } from './replies-to.js'

const getRight = request({
  subject: 'accounts.right.get',
  request: z.object({ user: z.string() }),
  reply: z.object({ right: z.string() }),
  signedBy: 'accounts',
})
let rights: Record<string, string> = {}

@Controller()
class RightsConsumer {
  @RepliesTo(getRight)
  right({ user }: { user: string }) {
    const right = rights[user]
    if (!right) throw new Problem('unknown', 'UnknownUser', 'There is no such user.')
    return { right }
  }
}

const controllers = [RightsConsumer]
let nats: TestNats
let intruder: RawConnection

beforeEach(async () => {
  rights = { ada: 'administrator', mallory: 'none' }
  nats = await startTestNats()
  intruder = await connect(nats.administrator)
})

afterEach(async () => {
  await intruder.close()
  await stopAll()
})

describe('a reply about rights', () => {
  let shop: TestReplica

  beforeEach(async () => {
    shop = await startReplica({ nats })
    await untilConnected(shop)
  })

  it('is accepted from accounts, as is its Problem', async () => {
    await startSigner(nats, { controllers })
    expect(await ask('ada')).toEqual({ right: 'administrator' })
    await expect(ask('nobody')).rejects.toMatchObject({ code: 'UnknownUser' })
  })

  it('is accepted from accounts with any of the pinned roots', async () => {
    await startSigner(nats, { controllers, rootKey: OTHER_ROOT.key })
    shop = await startReplica({ nats, trustRoots: [ROOT.root, OTHER_ROOT.root] })
    await untilConnected(shop)
    expect(await ask('ada')).toEqual({ right: 'administrator' })
  })

  it('is refused from accounts with another root', async () => {
    await startSigner(nats, { controllers, rootKey: OTHER_ROOT.key })
    await expectRefused('forged')
  })

  it('is refused from an accounts that does not sign', async () => {
    await untilConnected(await startReplica({ service: 'accounts', nats, controllers }))
    await expectRefused('unsigned')
  })

  it.each<[string, (message: Msg, genuine: Msg) => [string, MsgHdrs | undefined], string]>([
    ['is refused from whoever else replies', () => ['{"answer":{"right":"administrator"}}', undefined], 'unsigned'],
    ['is refused with the signature left out', (_, genuine) => [genuine.string(), undefined], 'unsigned'],
    ['is refused with a body that was changed', (_, genuine) => [genuine.string().replace('none', 'root'), genuine.headers], 'forged'],
    ['is refused with another signature', (_, genuine) => [genuine.string(), toHeaders({ Signature: 'AAAA' })], 'forged'],
  ])('%s', async (_, reply, reason) => {
    const real = await startRealAccounts()
    await intercept(async (message) => reply(message, await real(message.string(), message.headers)))
    await expectRefused(reason, 'mallory')
  })

  it('is accepted when it was only passed on', async () => {
    const real = await startRealAccounts()
    await intercept(async (message) => {
      const genuine = await real(message.string(), message.headers)
      return [genuine.string(), genuine.headers]
    })
    expect(await ask('ada')).toEqual({ right: 'administrator' })
  })

  it('is refused when it replied to an earlier request', async () => {
    const real = await startRealAccounts()
    let earlier: Msg | undefined
    await intercept(async (message) => {
      earlier ??= await real(message.string(), message.headers)
      return [earlier.string(), earlier.headers]
    })
    expect(await ask('ada')).toEqual({ right: 'administrator' })
    rights = {}
    await expectRefused('forged')
  })

  it('is refused when accounts was asked something else', async () => {
    const real = await startRealAccounts()
    await intercept(async (message) => {
      const genuine = await real(message.string().replace('mallory', 'ada'), message.headers)
      return [genuine.string(), genuine.headers]
    })
    await expectRefused('forged', 'mallory')
  })

  function ask(user: string) {
    return firstValueFrom(shop.get(NatsClient).send(getRight, { user }))
  }

  async function expectRefused(reason: string, user = 'ada'): Promise<void> {
    await expect(ask(user)).rejects.toMatchObject({ kind: 'unavailable', status: 503, code: 'ServiceUnreachable' })
    expect(await refusalsOf(shop)).toEqual([`signature_refusals_total{subject="accounts.right.get",reason="${reason}"} 1`])
  }

  async function intercept(reply: (message: Msg) => Promise<[string, MsgHdrs | undefined]>): Promise<void> {
    intruder.subscribe(getRight.subject, {
      callback: (_, message) => void reply(message).then(([body, headers]) => message.respond(body, headers && { headers })),
    })
    await intruder.flush()
  }
})

/** Accounts where only the intruder reaches it. */
async function startRealAccounts() {
  const elsewhere = await startTestNats()
  await startSigner(elsewhere, { controllers })
  const client = await connect({ ...elsewhere.administrator, inboxPrefix: inboxPrefix('shop') })
  const headersOf = (from: MsgHdrs | undefined) =>
    toHeaders(Object.fromEntries([...(from?.keys() ?? [])].map((key) => [key, from?.get(key) ?? ''])))
  return (body: string, headers: MsgHdrs | undefined) =>
    client.request(getRight.subject, body, { timeout: 2_000, headers: headersOf(headers) })
}
