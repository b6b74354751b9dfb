import { setTimeout as delay } from 'node:timers/promises'
import { Controller, type DynamicModule } from '@nestjs/common'
import { listKeys, listRevocations, type Revocation, revocationRecorded } from '@trestle/contracts/accounts/messages'
import type { RequestOf } from '@trestle/contracts/message'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { Signatures } from '@trestle/messaging/signatures'
import { replyOverHttp } from '@trestle/messaging/signed-http'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { RootKey } from '@trestle/runtime/root-key'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { KeyStore } from '../src/key-store.js'
import { Revocations } from '../src/revocations.js'
import { TestIssuer } from './issuer.js'
import { publishAt } from './publish.js'
import { authTestEnv, invalid, startService, type TestService } from './service.js'
import { STREAMS } from './streams.js'

const issuer = new TestIssuer()
const ROOT_KEY = Buffer.alloc(32, 1).toString('base64')
const ROOT = new RootKey(ROOT_KEY)
const recorded: Revocation[] = []
let nats: TestNats
let accounts: RunningService
let service: TestService

beforeAll(async () => {
  nats = await testNats()
  accounts = await startAccounts()
  service = await startNodes({ accountsInternalUrl: accounts.internalUrl })
  await until(async () => (await fetch(`${service.internalUrl}/readyz`)).ok)
})

afterAll(async () => {
  await service.stop()
  await accounts.stop()
  await nats.stop()
})

describe('a service that is connected to accounts over NATS', () => {
  it('accepts its tokens', async () => {
    expect(await service.withToken('/account', issuer.account())).toMatchObject({ status: 200 })
    expect(await service.withToken('/client', issuer.client())).toMatchObject({ status: 200 })
  })

  it('refuses a token as soon as its revocation is published', async () => {
    const [token, revocation] = revocable()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    await publishAt(accounts)(revocationRecorded, revocation)
    await until(async () => (await service.withToken('/account', token)).status !== 200)
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })

  it('refuses a token whose revocation it missed, after the next poll', async () => {
    const [token, revocation] = revocable()
    recorded.push(revocation)
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    await service.app.get(Revocations).poll()
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })
})

describe('a service without NATS', () => {
  beforeAll(async () => {
    await nats.kill()
  })

  afterAll(async () => {
    await nats.start()
  })

  it('polls the revocations over HTTP', async () => {
    const [token, revocation] = revocable()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    recorded.push(revocation)
    await service.app.get(Revocations).poll()
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })

  it('keeps its keys', async () => {
    await service.app.get(KeyStore).refresh()
    expect(await service.withToken('/account', issuer.account())).toMatchObject({ status: 200 })
  })

  it('is not ready when it starts, with the revocations but without keys', async () => {
    const late = await startNodes({ accountsInternalUrl: accounts.internalUrl })
    await late.app.get(Revocations).poll()
    const response = await fetch(`${late.internalUrl}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ checks: { keys: 'failed', revocations: 'ok' } })
    expect(await late.withToken('/account', issuer.account())).toMatchObject({ status: 503, body: { code: 'KeysUnavailable' } })
    await late.stop()
  })
})

describe('a service that reconnects to NATS', () => {
  it('polls the revocations that it missed', async () => {
    const [token, revocation] = revocable()
    await service.app.get(Revocations).poll()
    await nats.kill()
    recorded.push(revocation)
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    await nats.start()
    await until(async () => (await service.withToken('/account', token)).status !== 200)
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })
})

@Controller()
class AccountsConsumer {
  @RepliesTo(listKeys)
  keys() {
    return issuer.jwks()
  }

  @RepliesTo(listRevocations)
  revocations(request: RequestOf<typeof listRevocations>) {
    return page(request)
  }
}

function startAccounts(): Promise<RunningService> {
  class AccountsModule {}
  const options = { service: 'accounts', natsUrl: nats.url, streams: STREAMS, trustRoots: [ROOT.root], rootKey: ROOT_KEY }
  const imports = [MessagingModule.forRoot(options)]
  const module: DynamicModule = { module: AccountsModule, imports, controllers: [AccountsConsumer] }
  return bootService(module, {
    name: 'accounts',
    version: '0',
    env: authTestEnv(),
    endpoints: {},
    prepare: async (app) => {
      const signatures = app.get(Signatures)
      app
        .get(InternalRoutes)
        .add('/revocations', (url) => replyOverHttp(signatures, listRevocations, url, async (request) => page(request)))
      await connectMessaging(app)
    },
  })
}

async function startNodes(options: { accountsInternalUrl: string }): Promise<TestService> {
  return startService(options, MessagingModule.forRoot({ service: 'nodes', natsUrl: nats.url, trustRoots: [ROOT.root] }))
}

/** Two to a page. */
function page(request: RequestOf<typeof listRevocations>) {
  const start = Number(request.after ?? 0)
  const end = start + 2
  return { asOf: new Date().toISOString(), revocations: recorded.slice(start, end), next: end < recorded.length ? String(end) : undefined }
}

let users = 0

/** A token, and what ends it. */
function revocable(): [string, Revocation] {
  users++
  const id = `user-00000000-0000-4000-8000-${String(users).padStart(12, '0')}`
  return [issuer.account({ payload: { sub: id, ep: 5 } }), { kind: 'user', id, epoch: 6 }]
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10)
}
