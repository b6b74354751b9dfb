import { setTimeout as delay } from 'node:timers/promises'
import { Controller, type DynamicModule, type Type } from '@nestjs/common'
import {
  listKeys,
  listMemberships,
  listRevocations,
  membershipChanged,
  type Revocation,
  revocationRecorded,
  signingKeyCompromised,
} from '@trestle/contracts/accounts/messages'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { Signatures } from '@trestle/messaging/signatures'
import { replyOverHttp } from '@trestle/messaging/signed-http'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { Metrics } from '@trestle/runtime/metrics'
import { RootKey } from '@trestle/runtime/root-key'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { Authenticator } from '../src/authenticator.js'
import { KeyStore } from '../src/key-store.js'
import { Memberships } from '../src/memberships.js'
import { Revocations } from '../src/revocations.js'
import { signingKey, TestIssuer } from './issuer.js'
import { publishAt } from './publish.js'
import { authTestEnv, invalid, startService, type TestService } from './service.js'
import { STREAMS } from './streams.js'

const USER = 'user-00000000-0000-4000-8000-000000000001'
const ORGANIZATION = 'org-00000000-0000-4000-8000-000000000002'
const ROOT_KEY = Buffer.alloc(32, 1).toString('base64')
const ROGUE_KEY = Buffer.alloc(32, 2).toString('base64')
const issuer = new TestIssuer()
const stolen = signingKey()
const rogue = signingKey()

let nats: TestNats
let accounts: RunningService
let service: TestService
let compromised: string[]

beforeEach(async () => {
  compromised = []
  nats = await testNats()
  accounts = await startAccounts(ROOT_KEY, AccountsConsumer)
  service = await startNodes(accounts.internalUrl)
  await until(async () => (await fetch(`${service.internalUrl}/readyz`)).ok)
})

afterEach(async () => {
  await service.stop()
  await accounts.stop()
  await nats.stop()
})

describe('whoever reaches NATS but has no root key', () => {
  it.each([undefined, ROGUE_KEY])('adds no signing key (root key: %s)', async (rootKey) => {
    await accounts.stop()
    const impostor = await startAccounts(rootKey, RogueConsumer)
    await until(async () => {
      await service.app.get(KeyStore).refresh()
      return (await refusals()).includes('subject="accounts.key.list"')
    })
    const forged = issuer.account({ key: rogue, payload: { aud: ['nodes', 'manager'] } })
    expect(await service.withToken('/manager', forged)).toMatchObject(invalid())
    expect(await service.withToken('/account', issuer.account())).toMatchObject({ status: 200 })

    const late = await startNodes(impostor.internalUrl)
    await Promise.all([late.app.get(KeyStore).refresh(), late.app.get(Revocations).poll()])
    expect(await late.withToken('/manager', forged)).toMatchObject({ status: 503 })
    expect((await fetch(`${late.internalUrl}/readyz`)).status).toBe(503)
    await late.stop()
    await impostor.stop()
  })

  it('gives nobody a permission, neither by an event, nor by a list over NATS or HTTP', async () => {
    const impostor = await startAccounts(ROGUE_KEY, RogueConsumer)
    await publishAt(impostor)(membershipChanged, MEMBERSHIP)
    await until(async () => /accounts.membership.changed",reason="forged"/.test(await refusals()))
    await accounts.stop()
    await until(async () => {
      await service.app.get(Memberships).poll()
      return (await refusals()).includes('subject="accounts.membership.list"')
    })
    expect(await permitted(service)).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })

    const late = await startNodes(impostor.internalUrl)
    await nats.kill()
    await late.app.get(Memberships).poll()
    expect(() => late.app.get(Memberships).permissionsOf(USER, ORGANIZATION)).toThrow(
      expect.objectContaining({ code: 'MembershipsUnknown' }),
    )
    await late.stop()
    await impostor.stop()
    await nats.start()
  })

  it('revokes nothing, and declares no key compromised', async () => {
    const token = issuer.account({ payload: { sub: USER } })
    const impostor = await startAccounts(ROGUE_KEY, RogueConsumer)
    await publishAt(impostor)(revocationRecorded, { kind: 'user', id: USER, epoch: 999_999 })
    await publishAt(impostor)(signingKeyCompromised, { kid: issuer.keys.account.kid })
    await until(async () => /accounts.signing-key.compromised",reason="forged"/.test(await refusals()))
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    await impostor.stop()
  })

  it('revokes nothing over HTTP while NATS is away', async () => {
    const impostor = await startAccounts(ROGUE_KEY, RogueConsumer)
    const late = await startNodes(impostor.internalUrl)
    await nats.kill()
    await late.app.get(Revocations).poll()
    expect(await (await fetch(`${late.internalUrl}/readyz`)).json()).toMatchObject({ checks: { revocations: 'failed' } })
    await late.stop()
    await impostor.stop()
    await nats.start()
  })
})

describe('a signing key that was declared compromised', () => {
  const forged = () => issuer.account({ key: stolen, payload: { sub: USER, aud: ['nodes', 'manager'] } })

  it('opens nothing within two seconds, not even with a token that was verified before', async () => {
    const token = forged()
    expect(await service.withToken('/manager', token)).toMatchObject({ status: 200 })
    const changes = countChanges()
    compromised.push(stolen.kid)
    const declaredAt = performance.now()
    await publishAt(accounts)(signingKeyCompromised, { kid: stolen.kid })
    await until(async () => (await service.withToken('/manager', token)).status === 401)
    expect(performance.now() - declaredAt).toBeLessThan(2_000)
    expect(changes()).toBe(1)
    expect(await service.withToken('/manager', forged())).toMatchObject(invalid())
    expect(await service.withToken('/account', issuer.account())).toMatchObject({ status: 200 })
  })

  it('opens nothing although accounts still publishes it', async () => {
    await publishAt(accounts)(signingKeyCompromised, { kid: stolen.kid })
    await until(async () => (await service.withToken('/manager', forged())).status === 401)
    await service.app.get(KeyStore).refresh()
    expect(await service.withToken('/manager', forged())).toMatchObject(invalid())
  })

  it('opens nothing after the next poll while NATS is away', async () => {
    const token = forged()
    expect(await service.withToken('/manager', token)).toMatchObject({ status: 200 })
    await nats.kill()
    compromised.push(stolen.kid)
    await service.app.get(Revocations).poll()
    expect(await service.withToken('/manager', token)).toMatchObject(invalid())
    expect(await service.withToken('/manager', forged())).toMatchObject(invalid())
    expect(await service.withToken('/account', issuer.account())).toMatchObject({ status: 200 })
    await nats.start()
  })

  function countChanges(): () => number {
    let count = 0
    service.app.get(Authenticator).changes.subscribe(() => count++)
    return () => count
  }
})

const MEMBERSHIP = {
  userId: USER,
  organizationId: ORGANIZATION,
  permissions: ['nodes:read' as const],
  version: 999_999,
  changedAt: '2026-11-21T12:00:00.000Z',
}

function permitted(at: TestService) {
  const token = issuer.account({ payload: { sub: USER } })
  return at.get('/permitted', 'trestle-organization', ORGANIZATION, 'authorization', `Bearer ${token}`)
}

@Controller()
class AccountsConsumer {
  @RepliesTo(listKeys)
  keys() {
    const { account, client } = issuer.jwks()
    return { account: [...account, stolen.jwk].filter(({ kid }) => !compromised.includes(kid)), client }
  }

  @RepliesTo(listRevocations)
  revocations() {
    return { asOf: new Date().toISOString(), revocations: [] as Revocation[], compromisedKeys: compromised }
  }

  @RepliesTo(listMemberships)
  memberships() {
    return { asOf: new Date().toISOString(), memberships: [] as (typeof MEMBERSHIP)[] }
  }
}

@Controller()
class RogueConsumer {
  @RepliesTo(listMemberships)
  memberships() {
    return { asOf: new Date().toISOString(), memberships: [MEMBERSHIP] }
  }

  @RepliesTo(listKeys)
  keys() {
    const { account, client } = issuer.jwks()
    return { account: [...account, rogue.jwk], client }
  }

  @RepliesTo(listRevocations)
  revocations() {
    return { asOf: new Date().toISOString(), revocations: [{ kind: 'user' as const, id: USER, epoch: 999_999 }] }
  }
}

async function startAccounts(rootKey: string | undefined, consumer: Type): Promise<RunningService> {
  class AccountsModule {}
  const trustRoots = [new RootKey(ROOT_KEY).root]
  const messaging = MessagingModule.forRoot({
    service: 'accounts',
    natsUrl: nats.url,
    streams: STREAMS,
    trustRoots,
    ...(rootKey && { rootKey }),
  })
  const module: DynamicModule = { module: AccountsModule, imports: [messaging], controllers: [consumer] }
  const started = await bootService(module, {
    name: 'accounts',
    version: '0',
    env: authTestEnv(),
    endpoints: {},
    prepare: async (app) => {
      const replies = app.get<AccountsConsumer>(consumer, { strict: false })
      const [routes, signatures] = [app.get(InternalRoutes), app.get(Signatures)]
      routes.add('/revocations', (url) => replyOverHttp(signatures, listRevocations, url, async () => replies.revocations()))
      routes.add('/memberships', (url) => replyOverHttp(signatures, listMemberships, url, async () => replies.memberships()))
      await connectMessaging(app)
    },
  })
  await until(async () => started.app.get(NatsConnection, { strict: false }).client !== undefined)
  return started
}

function startNodes(accountsInternalUrl: string): Promise<TestService> {
  const trustRoots = [new RootKey(ROOT_KEY).root]
  return startService({ accountsInternalUrl }, MessagingModule.forRoot({ service: 'nodes', natsUrl: nats.url, trustRoots }))
}

function refusals(): Promise<string> {
  return service.app.get(Metrics).registry.getSingleMetricAsString('signature_refusals_total')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10)
}
