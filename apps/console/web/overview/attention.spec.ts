import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import type { DeadLetter } from '@trestle/contracts/delivery'
import type { Node } from '@trestle/contracts/nodes/nodes'
import type { Validator } from '@trestle/contracts/staking/validators'
import { partial } from '../testing/partial.js'
import { attentionItems } from './attention.js'

const NOW = new Date('2026-11-22T00:00:00Z')
const seconds = (fromNow: number) => String(NOW.getTime() / 1000 + fromNow)

function node(more: Partial<Node>): Node {
  return partial<Node>({
    id: 'node-1',
    chain: 'ltc',
    network: 'regtest',
    state: 'started',
    phase: 'ready',
    conditions: [],
    ttl: seconds(9e6),
    ...more,
  })
}

function validator(more: Partial<Validator>): Validator {
  return partial<Validator>({
    id: 'dev:aa',
    chain: 'dev',
    pubkey: 'a'.repeat(96),
    slashed: false,
    status: 'active',
    phase: 'active',
    note: null,
    ...more,
  })
}

function key(expiresInDays: number): ClientKey {
  return partial<ClientKey>({ id: 'client-1', expiresAt: new Date(NOW.getTime() + expiresInDays * 86_400_000).toISOString() })
}

const kinds = (known: Parameters<typeof attentionItems>[0]) =>
  attentionItems(known, NOW).map(({ kind, isUrgent }) => `${kind}${isUrgent ? '!' : ''}`)

describe('What needs attention', () => {
  it('is nothing where all is well, or nothing is known', () => {
    expect(kinds({})).toEqual([])
    expect(kinds({ nodes: [node({})], validators: [validator({})], keys: [key(100)], services: [{ name: 'eth', state: 'up' }] })).toEqual(
      [],
    )
  })

  it('is a node that is not well, with why', () => {
    const since = NOW.toISOString()
    const conditions = [{ type: 'Healthy', status: 'false', reason: 'Problem', message: 'It keeps ending.', since }] as const
    const [matter] = attentionItems({ nodes: [node({ phase: 'failed', conditions: [...conditions] })] }, NOW)
    expect(matter).toMatchObject({ kind: 'failed', isUrgent: true, why: 'It keeps ending.', to: '/app/nodes/node-1' })
  })

  it('is a node that stops within a day, but not one that has stopped', () => {
    expect(kinds({ nodes: [node({ ttl: seconds(3600) })] })).toEqual(['stopsSoon'])
    expect(kinds({ nodes: [node({ ttl: seconds(-3600), state: 'stopped', phase: 'stopped' })] })).toEqual([])
  })

  it('is a service that is down, not one that is absent', () => {
    expect(
      kinds({
        services: [
          { name: 'btc', state: 'down' },
          { name: 'bch', state: 'absent' },
        ],
      }),
    ).toEqual(['serviceDown!'])
  })

  it('is a validator that was slashed, is unknown, or has a note', () => {
    expect(kinds({ validators: [validator({ slashed: true })] })).toEqual(['slashed!'])
    expect(kinds({ validators: [validator({ status: 'unknown' })] })).toEqual(['unknown!'])
    expect(kinds({ validators: [validator({ note: 'Send the deposit.' })] })).toEqual(['noted'])
  })

  it('is a dead letter of a service, for administrators', () => {
    const letters = [partial<DeadLetter>({ error: 'InternalError: poison', givenUpAt: NOW.toISOString() })]
    expect(attentionItems({ delivered: [{ name: 'nodes', letters }, { name: 'eth', letters: [] }, { name: 'btc' }] }, NOW)).toMatchObject([
      { kind: 'deadLetters', isUrgent: false, what: 'nodes', why: 'InternalError: poison', to: '/app/administration/delivery' },
    ])
  })

  it('is a key that ends within two weeks, and urgent within a day', () => {
    expect(kinds({ keys: [key(15)] })).toEqual([])
    expect(kinds({ keys: [key(13), key(0.5), key(-1)] })).toEqual(['keyExpires!', 'keyExpired!', 'keyExpires'])
  })
})
