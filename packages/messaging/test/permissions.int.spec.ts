import { setTimeout as delay } from 'node:timers/promises'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import {
  type NatsConnection as Client,
  type ConnectionOptions,
  connect,
  errors,
  type Msg,
  nkeyAuthenticator,
  nkeys,
  PermissionViolationError,
} from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { listKeys, revocationRecorded } from '@trestle/contracts/accounts/messages'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { identitiesOf, inboxPrefix } from '@trestle/contracts/nats/identities'
import { MESSAGES } from '@trestle/contracts/nats/messages'
import { permissionsOf } from '@trestle/contracts/nats/permissions'
import { streamPlans } from '@trestle/contracts/nats/stream-plans'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { ensureStream } from '../src/ensure-stream.js'
import { RepliesTo } from '../src/replies-to.js'
import { startReplica, stopAll } from './service.js'

// Against a real nats-server; NATS_SERVER=/path/to/nats-server names another than the installed one.

const IDENTITIES = identitiesOf(DEPLOYMENTS)
const RIGHTS = new Map(IDENTITIES.map((identity) => [identity.name, permissionsOf(identity, IDENTITIES, MESSAGES)]))
const NAMES = [...RIGHTS.keys()]
const OTHERS = NAMES.filter((name) => name !== 'accounts')

// What somebody who holds an identity, or found the port, would try.
const HOSTILE = {
  publish: [
    'accounts.key.compromised',
    'accounts.x',
    'x',
    'x.activity.recorded',
    '_INBOX.x',
    '$SYS.REQ.SERVER.PING',
    '$SYS.REQ.ACCOUNT.$G.CONNZ',
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.LIST',
    '$JS.API.STREAM.CREATE.MIRROR',
    '$JS.API.STREAM.UPDATE.ACTIVITY',
    '$JS.API.SERVER.REMOVE',
    '$JS.API.ACCOUNT.PURGE.x',
    '$JS.API.META.LEADER.STEPDOWN',
    '$JS.FC.ACCOUNTS.x.x',
    '$JS.SNAPSHOT.RESTORE.ACCOUNTS.x',
    '$KV.x.x',
    '$O.x',
    ...NAMES.flatMap((name) => [`${inboxPrefix(name)}.x`, `${name}.activity.recorded`, `${name}.x`]),
    ...['ACCOUNTS', 'ACTIVITY', 'ETH_RPC', 'ETH_FILTERS'].flatMap((stream) => [
      ...['DELETE', 'PURGE', 'SNAPSHOT', 'RESTORE', 'MSG.GET', 'MSG.DELETE', 'LEADER.STEPDOWN', 'PEER.REMOVE'].map(
        (verb) => `$JS.API.STREAM.${verb}.${stream}`,
      ),
      `$JS.API.DIRECT.GET.${stream}`,
      `$JS.API.DIRECT.GET.${stream}.accounts.user.disabled`,
      `$JS.API.CONSUMER.CREATE.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}.x`,
      `$JS.API.CONSUMER.CREATE.${stream}.x.accounts.user.disabled`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.x`,
      `$JS.API.CONSUMER.DELETE.${stream}.nodes-disabled-users`,
      `$JS.API.CONSUMER.PAUSE.${stream}.nodes-disabled-users`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.x`,
      `$JS.API.CONSUMER.NAMES.${stream}`,
      `$JS.ACK.${stream}.x.1.1.1.1.0`,
    ]),
  ],
  subscribe: [
    '>',
    '*',
    '*.>',
    'accounts.>',
    'accounts.*.*',
    'accounts.user.disabled',
    '*.activity.recorded',
    '*.node.changed',
    '_INBOX.>',
    '_INBOX_*.>',
    '*.*',
    '$JS.>',
    '$JS.API.>',
    '$JS.EVENT.ADVISORY.>',
    '$JS.ACK.>',
    '$SYS.>',
    '$G.>',
    ...NAMES.map((name) => `${inboxPrefix(name)}.>`),
  ],
}

let nats: TestNats
let administrator: Client
let manager: JetStreamManager
const clients: Client[] = []

beforeAll(async () => {
  nats = await testNats()
  administrator = await connect(nats.administrator)
  manager = await jetstreamManager(administrator)
  await ensureStreams()
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await stopAll()
})

afterAll(async () => {
  await administrator.close()
  await nats.stop()
})

describe('the NATS server', () => {
  it.each(NAMES)('permits %s what the contracts say, and refuses everything else', async (name) => {
    const tried = {
      publish: new Set([...all('publish').map(concrete), ...HOSTILE.publish]),
      subscribe: new Set([...all('subscribe'), ...HOSTILE.subscribe]),
    }
    const own = RIGHTS.get(name)!
    const allowed = (side: 'publish' | 'subscribe') =>
      [...tried[side]].filter((subject) => own[side].some((right) => covers(right, subject)))
    const refused = await refusedOf(await as(name), tried)
    expect([...tried.publish].filter((subject) => !refused.publish.has(subject))).toEqual(allowed('publish'))
    expect([...tried.subscribe].filter((subject) => !refused.subscribe.has(subject))).toEqual(allowed('subscribe'))
    expect(allowed('publish').length).toBeGreaterThan(2)
  })

  it('lets nobody in without a key that it knows', async () => {
    const { servers } = nats.administrator
    const strangers: ConnectionOptions[] = [
      {},
      { user: 'accounts', pass: '' },
      { user: 'trestle', pass: 'trestle' },
      { token: 'accounts' },
      { authenticator: nkeyAuthenticator(nkeys.createUser().getSeed()) },
      // The public half is in the server's configuration, and in each CONNECT.
      { authenticator: () => ({ nkey: nkeys.fromSeed(seedOf('accounts')).getPublicKey(), sig: 'AAAA' }) },
    ]
    for (const stranger of strangers) await expect(connect({ servers, ...stranger })).rejects.toThrow(errors.AuthorizationError)
  })
})

describe('a rogue program', () => {
  // Accounts may delete consumers, and has tried it.
  beforeAll(ensureStreams)

  it.each(OTHERS)('as %s answers no request for the keys of tokens', async (name) => {
    const [rogue, victim] = [await as(name), await as(name === 'nodes' ? 'eth' : 'nodes')]
    const forge = (error: Error | null, message: Msg) => {
      if (!error) message.respond('forged')
    }
    for (const queue of [undefined, 'accounts']) rogue.subscribe(listKeys.subject, { queue, callback: forge })
    await rogue.flush()
    await expect(victim.request(listKeys.subject, '{}', { timeout: 300 })).rejects.toThrow(errors.RequestError)
  })

  it.each(OTHERS)('as %s publishes no revocation and no event of another, and destroys nothing', async (name) => {
    const genuine = await as('accounts')
    await genuine.request(revocationRecorded.subject, 'genuine')
    const stored = await lastOf('ACCOUNTS')
    const heard = listen('accounts.>')
    const rogue = await as(name)
    const forged = JSON.stringify({ kind: 'user', id: 'user-1', epoch: 999_999 })
    for (const { subject } of MESSAGES.events) rogue.publish(subject.replace('*', 'accounts'), forged)
    for (const stream of ['ACCOUNTS', 'ACTIVITY']) for (const verb of ['PURGE', 'DELETE']) rogue.publish(`$JS.API.STREAM.${verb}.${stream}`)
    const push = { stream_name: 'ACTIVITY', config: { deliver_subject: revocationRecorded.subject, ack_policy: 'none' } }
    rogue.publish('$JS.API.CONSUMER.CREATE.ACTIVITY', JSON.stringify(push))
    const republish = { name: 'MIRROR', subjects: ['x.>'], republish: { src: 'x.>', dest: revocationRecorded.subject } }
    rogue.publish('$JS.API.STREAM.CREATE.MIRROR', JSON.stringify(republish))
    rogue.publish(`${name}.activity.recorded`, forged)
    await settled(rogue)
    expect(heard).toEqual([])
    expect(await lastOf('ACCOUNTS')).toEqual(stored)
    expect(await manager.streams.names().next()).not.toContain('MIRROR')
    expect(await manager.consumers.list('ACTIVITY').next()).toHaveLength(1)
  })

  it('makes accounts reply to nobody but a client', async () => {
    @Controller()
    class Keys {
      @RepliesTo(listKeys)
      keys() {
        return { account: [], client: [] }
      }
    }
    await startReplica({ service: 'accounts', nats, controllers: [Keys] })
    const rogue = await as('nodes')
    for (let replied = false; !replied; ) replied = await rogue.request(listKeys.subject, '{}').then(Boolean, () => false)
    const heard = listen(revocationRecorded.subject)
    rogue.publish(listKeys.subject, '{}', { reply: revocationRecorded.subject })
    await settled(rogue)
    expect(heard).toEqual([])
  })

  // nats-server does not ask whether a client may publish to the subject that it names for the reply. What it publishes there are its own
  // JSON documents, which are no message of ours; DIRECT.GET, which would publish a message as it was stored, is permitted to nobody.
  it('makes the server publish no payload of its choice under the subject of another', async () => {
    const payload = JSON.stringify({ kind: 'user', id: 'user-1', epoch: 999_999 })
    const target = { reply: revocationRecorded.subject }
    const heard = listen('accounts.>')
    for (const name of OTHERS) {
      const rogue = await as(name)
      rogue.publish(`${name}.activity.recorded`, payload, target)
      rogue.publish(`${name}.filter.1.1`, payload, target)
      for (const subject of RIGHTS.get(name)!.publish.filter((each) => each.startsWith('$JS.API.')))
        for (const request of ['', payload, `{"last_by_subj":"${name}.filter.1.1"}`, '{"batch":1}'])
          rogue.publish(concrete(subject), request, target)
      await settled(rogue)
    }
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.filter(isRevocation)).toEqual([])
  })
})

async function ensureStreams(): Promise<void> {
  for (const plan of streamPlans(IDENTITIES, MESSAGES)) await ensureStream(manager, plan)
}

function all(side: 'publish' | 'subscribe'): string[] {
  return [...RIGHTS.values()].flatMap((rights) => rights[side])
}

/** A subject that a right covers. */
function concrete(right: string): string {
  return right.replaceAll('*', 'x').replace('>', '1.1.1.1.0')
}

function covers(right: string, subject: string): boolean {
  const [rights, tokens] = [right.split('.'), subject.split('.')]
  const rest = rights.indexOf('>')
  if (rest < 0 && rights.length !== tokens.length) return false
  const fixed = rest < 0 ? rights : rights.slice(0, rest)
  return (
    tokens.length >= rights.length && fixed.every((token, place) => token === tokens[place] || (token === '*' && tokens[place] !== '>'))
  )
}

async function refusedOf(client: Client, tried: Readonly<Record<'publish' | 'subscribe', ReadonlySet<string>>>) {
  const refused = { publish: new Set<string>(), subscribe: new Set<string>() }
  void (async () => {
    for await (const status of client.status())
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        refused[status.error.operation === 'publish' ? 'publish' : 'subscribe'].add(status.error.subject)
  })()
  for (const subject of tried.publish) client.publish(subject)
  for (const subject of tried.subscribe) client.subscribe(subject, { callback: () => {} })
  await settled(client)
  return refused
}

function isRevocation(text: string): boolean {
  try {
    return revocationRecorded.payload.safeParse(JSON.parse(text)).success
  } catch {
    // A status without a payload.
    return false
  }
}

async function lastOf(stream: string) {
  const { first_seq, last_seq } = (await manager.streams.info(stream)).state
  return { first_seq, last_seq }
}

/** What arrives at a subject from now on. */
function listen(subject: string): string[] {
  const heard: string[] = []
  administrator.subscribe(subject, { callback: (_, message) => void heard.push(message.string()) })
  return heard
}

/** The server has done what it was told, and so has JetStream, which replies later. */
async function settled(client: Client): Promise<void> {
  await client.flush()
  await delay(200)
  await administrator.flush()
}

function as(name: string): Promise<Client> {
  return open({ servers: nats.administrator.servers, authenticator: nkeyAuthenticator(seedOf(name)), inboxPrefix: inboxPrefix(name) })
}

function seedOf(name: string): Uint8Array {
  return new TextEncoder().encode(nats.env(name).NATS_NKEY_SEED)
}

async function open(options: ConnectionOptions): Promise<Client> {
  const client = await connect(options)
  clients.push(client)
  return client
}
