import { readdirSync } from 'node:fs'
import { AREAS, deploymentsOf } from '../areas.js'
import { CHAINS } from '../chains/chains.js'
import { authorization, natsUsers } from './authorization.js'
import { identitiesOf, inboxPrefix, isInbox } from './identities.js'
import { MESSAGES } from './messages.js'
import { permissionsOf } from './permissions.js'

const IDENTITIES = identitiesOf(deploymentsOf(CHAINS.filter(({ isDefault }) => isDefault)))

describe(identitiesOf, () => {
  it('names every deployment that uses NATS', () => {
    expect(IDENTITIES.map(({ name, app }) => `${name}: ${app}`)).toEqual([
      'accounts: accounts',
      'staking: staking',
      'nodes: nodes',
      'btc: btc-connect',
      'bch: btc-connect',
      'ltc: btc-connect',
      'eth: eth-rpc',
      'etc: eth-rpc',
    ])
  })
})

describe('MESSAGES', () => {
  it('has every message of the contracts, each with apps that exist', async () => {
    const modules = readdirSync(import.meta.dirname.replace(/nats$/, ''), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /(^|\/)(messages|activity|security-event)\.ts$/.test(path) && !path.startsWith('nats/'),
    )
    const exported = await Promise.all(modules.map((path) => import(`../${path.replace(/\.ts$/, '.js')}`)))
    const contracts = exported.flatMap((module) => Object.values<{ subject?: string }>(module)).filter(({ subject }) => subject)
    const listed = Object.values(MESSAGES).flat()
    expect(new Set(listed)).toEqual(new Set(contracts))
    const named = listed.flatMap(
      ({ requestedBy = [], publishedBy = [], subscribedBy = [], consumedBy = [], keptBy = [] }: Partial<Named>) => [
        ...[requestedBy, publishedBy, subscribedBy, keptBy].flat(),
        ...consumedBy.map(({ app }) => app),
      ],
    )
    expect(named.filter((app) => !AREAS.some((area) => area === app))).toEqual([])
  })
})

describe(permissionsOf, () => {
  it('gives a deployment what the contracts say, and nothing else', () => {
    expect(permissionsOf({ name: 'nodes', app: 'nodes' }, IDENTITIES, MESSAGES)).toEqual({
      publish: [
        '$JS.ACK.*.*.ACCOUNTS.nodes-deleted-users.>',
        '$JS.ACK.*.*.ACCOUNTS.nodes-disabled-users.>',
        '$JS.ACK.*.*.ACCOUNTS.nodes-dissolved-organizations.>',
        '$JS.ACK.ACCOUNTS.nodes-deleted-users.>',
        '$JS.ACK.ACCOUNTS.nodes-disabled-users.>',
        '$JS.ACK.ACCOUNTS.nodes-dissolved-organizations.>',
        '$JS.API.CONSUMER.INFO.ACCOUNTS.nodes-deleted-users',
        '$JS.API.CONSUMER.INFO.ACCOUNTS.nodes-disabled-users',
        '$JS.API.CONSUMER.INFO.ACCOUNTS.nodes-dissolved-organizations',
        '$JS.API.CONSUMER.MSG.NEXT.ACCOUNTS.nodes-deleted-users',
        '$JS.API.CONSUMER.MSG.NEXT.ACCOUNTS.nodes-disabled-users',
        '$JS.API.CONSUMER.MSG.NEXT.ACCOUNTS.nodes-dissolved-organizations',
        '$JS.API.STREAM.INFO.ACTIVITY',
        '$JS.API.STREAM.INFO.SECURITY',
        'accounts.key.list',
        'accounts.membership.list',
        'accounts.revocation.list',
        'nodes.activity.recorded',
        'nodes.node.changed',
        'nodes.security-event.recorded',
      ],
      subscribe: [
        '_INBOX_nodes.>',
        'accounts.membership.changed',
        'accounts.revocation.recorded',
        'accounts.signing-key.compromised',
        'nodes.node.changed',
        'nodes.resource.count',
      ],
      replies: true,
    })
  })

  it('lets only those reply whom somebody may ask, and each deployment be asked by itself', () => {
    const replying = IDENTITIES.filter((identity) => permissionsOf(identity, IDENTITIES, MESSAGES).replies).map(({ name }) => name)
    expect(replying).toEqual(['accounts', 'staking', 'nodes', 'eth', 'etc'])
    const asking = (subject: string) =>
      IDENTITIES.filter((identity) => permissionsOf(identity, IDENTITIES, MESSAGES).publish.includes(subject)).map(({ name }) => name)
    const asked = (subject: string) =>
      IDENTITIES.filter((identity) => permissionsOf(identity, IDENTITIES, MESSAGES).subscribe.includes(subject)).map(({ name }) => name)
    for (const name of ['staking', 'nodes', 'eth', 'etc'])
      expect([asking(`${name}.resource.count`), asked(`${name}.resource.count`)]).toEqual([['accounts'], [name]])
  })

  it('lets nobody but accounts publish what accounts decides, or create a stream or consumer', () => {
    for (const identity of IDENTITIES.filter(({ name }) => name !== 'accounts')) {
      const { publish } = permissionsOf(identity, IDENTITIES, MESSAGES)
      const asked = MESSAGES.requests.map(({ subject }) => subject)
      expect(publish.filter((subject) => subject.startsWith('accounts.') && !asked.includes(subject))).toEqual([])
      expect(
        publish.filter((subject) => /CREATE|UPDATE|DELETE|DIRECT|LEADER|RESTORE|SNAPSHOT|PURGE\.(?!ET[HC]_FILTERS$)/.test(subject)),
      ).toEqual([])
    }
  })

  it('gives nobody a wildcard that covers more than its own', () => {
    for (const identity of IDENTITIES) {
      const { publish, subscribe } = permissionsOf(identity, IDENTITIES, MESSAGES)
      expect(subscribe.filter((subject) => /[*>]/.test(subject))).toEqual([`${inboxPrefix(identity.name)}.>`])
      const wide = publish.filter((subject) => /[*>]/.test(subject) && !subject.includes(`${identity.name}-`))
      expect(wide.filter((subject) => subject !== `${identity.name}.filter.*.*`)).toEqual([])
    }
  })
})

describe(isInbox, () => {
  it('tells where replies may go', () => {
    expect(['_INBOX_nodes.abc.1', 'accounts.key.list', '$JS.API.STREAM.INFO.ACCOUNTS', '', '_INBOX'].map(isInbox)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe(authorization, () => {
  it('names each identity by the public half of its key, and no default user', () => {
    const text = authorization(natsUsers(IDENTITIES.slice(0, 2), ({ name }) => `$NKEY_${name}`))
    expect(text.match(/nkey: .*/g)).toEqual(['nkey: $NKEY_accounts', 'nkey: $NKEY_staking'])
    expect(text).not.toMatch(/no_auth_user|password|token/)
  })

  it('refuses to leave NATS open', () => {
    expect(() => authorization([])).toThrow('open to everybody')
  })
})

interface Named {
  requestedBy: readonly string[]
  publishedBy: readonly string[]
  subscribedBy: readonly string[]
  keptBy: readonly string[]
  consumedBy: readonly { app: string }[]
}
