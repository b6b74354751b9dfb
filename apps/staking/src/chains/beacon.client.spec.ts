import { formatHex } from '@trestle/ethereum/hex'
import { blockHeaderRoot } from '@trestle/ethereum/ssz'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { fakeBeacon } from '../../test/fake-beacon.js'
import { type FakeUpstream, NONSENSE } from '../../test/fake-upstream.js'
import type { BeaconClient } from './beacon.client.js'
import { ChainsService } from './chains.service.js'
import { UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'

const PUBKEY = Buffer.alloc(48, 1)
const VALIDATORS = '/eth/v1/beacon/states/head/validators'
const EXIT = { message: { epoch: 1n, validatorIndex: 2n }, signature: Buffer.alloc(96, 3) }

let nodes: FakeUpstream[]
let lifecycle: Lifecycle
let chains: ChainsService
let beacon: BeaconClient

beforeEach(async () => {
  nodes = [await fakeBeacon(), await fakeBeacon()]
  lifecycle = new Lifecycle(createLogger('test', 'silent'))
  const beacons = nodes.map(({ url }) => url)
  chains = new ChainsService({ CHAINS: [{ name: 'hoodi', beacons, archives: [], executions: [], regions: [] }] }, lifecycle)
  beacon = chains.beacon('hoodi')
})

afterEach(async () => {
  await lifecycle.run('close')
  await Promise.all(nodes.map((node) => node.stop()))
})

describe('the network of a chain', () => {
  it('is what the node reports if that agrees with the known facts', async () => {
    const chain = await chains.get('hoodi')
    expect(chain).toMatchObject({ secondsPerSlot: 12, slotsPerEpoch: 32, shardCommitteePeriod: 256, network: { chainId: 560_048 } })
    expect(chain.epochAt(chain.slotTime(64))).toBe(2)
  })

  it('is not taken from a node of another network', async () => {
    for (const node of nodes)
      node.answers['GET /eth/v1/beacon/genesis'] = {
        body: { data: { genesis_time: '1', genesis_validators_root: `0x${'11'.repeat(32)}` } },
      }
    await expect(chains.get('hoodi')).rejects.toMatchObject({
      code: 'ChainUnavailable',
      cause: { message: expect.stringContaining('beacon node 1: The genesisValidatorsRoot of hoodi is 0x212f') },
    })
  })

  it('is checked again after a node was unreachable', async () => {
    await chains.get('hoodi')
    nodes[0]!.takeOver = (response) => response.destroy()
    expect(await beacon.finality()).toEqual({ finalizedEpoch: 1, finalizedRoot: Buffer.alloc(32) })
    nodes[0]!.takeOver = undefined
    nodes[0]!.answers['GET /eth/v1/config/deposit_contract'] = { body: { data: { chain_id: '1', address: `0x${'00'.repeat(20)}` } } }
    nodes[1]!.takeOver = (response) => response.destroy()
    await expect(beacon.finality()).rejects.toThrow('beacon node 1: The chainId of hoodi is 560048, but the node reports 1.')
  })

  it('is unknown for a chain that is not served', () => {
    expect(() => chains.settings('mainnet')).toThrow(expect.objectContaining({ code: 'UnknownChain' }))
  })
})

describe('requesting validators', () => {
  it.each(NONSENSE)('tries the next node if the first answers with %s', async (_, takeOver) => {
    await chains.get('hoodi')
    nodes[0]!.takeOver = takeOver
    nodes[1]!.answers[`POST ${VALIDATORS}`] = { body: { data: [validator(7)] } }
    expect(await beacon.validators('head', [PUBKEY])).toMatchObject([
      { index: 7, status: 'active_ongoing', exitEpoch: undefined, activationEpoch: 3 },
    ])
  })

  it.each(NONSENSE)('names the node that failed if all answer with %s', async (_, takeOver) => {
    await chains.get('hoodi')
    for (const node of nodes) node.takeOver = takeOver
    const error = await beacon.validators('head', [PUBKEY]).catch((error) => error)
    expect(error).toBeInstanceOf(UpstreamUnavailable)
    expect(error.message).toMatch(/^beacon node 1 /)
    expect(error.message).not.toContain('127.0.0.1')
  })

  it('repeats ids in a query, at most 64 at a time, if a node supports nothing else', async () => {
    const ids = Array.from({ length: 70 }, (_, index) => index)
    nodes[0]!.answers[`GET ${VALIDATORS}`] = ({ path }) => {
      const requested = [...new URL(path, 'http://node').searchParams.getAll('id')].map(Number)
      return requested.length > 64 ? { status: 414 } : { body: { data: requested.map(validator) } }
    }
    expect((await beacon.validators('head', ids)).map(({ index }) => index)).toEqual(ids)
    await beacon.validators('head', [1])
    expect(nodes[0]!.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('distinguishes a missing state from an unreachable node', async () => {
    await expect(beacon.validators('head', [1])).rejects.toBeInstanceOf(UpstreamRefusal)
  })

  it('refuses a response with a number that is too large', async () => {
    for (const node of nodes)
      node.answers[`POST ${VALIDATORS}`] = { body: { data: [{ ...validator(1), balance: '18446744073709551616' }] } }
    await expect(beacon.validators('head', [1])).rejects.toThrow('data.0.balance: The number does not fit in 64 bits.')
  })
})

describe('the rewards of attestations', () => {
  const PATH = 'POST /eth/v1/beacon/rewards/attestations/7'
  const zero = { head: '0', target: '0', source: '0' }

  it('are known for all validators but the one for which a node refuses the list', async () => {
    const refuse = (unknown: number) => {
      for (const node of nodes)
        node.answers[PATH] = ({ body }) => {
          const ids = (JSON.parse(body) as string[]).map(Number)
          if (ids.includes(unknown)) return { status: 400, body: { code: 400, message: 'No validator index found for id' } }
          return { body: { data: { ideal_rewards: [], total_rewards: ids.map((id) => ({ validator_index: String(id), ...zero })) } } }
        }
    }
    refuse(77)
    const rewards = await beacon.attestationRewards(
      7,
      Array.from({ length: 100 }, (_, i) => 99 - i),
    )
    expect([[...rewards!.refused], rewards!.total.size, rewards!.total.has(77)]).toEqual([[77], 99, false])
    refuse(1000)
    nodes[0]!.asked.length = 0
    await beacon.attestationRewards(7, [10, 9, 100])
    expect(nodes[0]!.asked.map(({ body }) => body)).toEqual(['["9","10","100"]'])
  })

  it('are unknown if all nodes refuse whatever is asked, and no node is asked without end', async () => {
    for (const node of nodes) node.answers[PATH] = { status: 400, body: { code: 400, message: 'no' } }
    expect(
      await beacon.attestationRewards(
        7,
        Array.from({ length: 10_000 }, (_, i) => i),
      ),
    ).toBeUndefined()
    expect(nodes[0]!.asked.length).toBeLessThan(80)
    expect(await beacon.attestationRewards(7, [1])).toBeUndefined()
  })
})

describe('the head', () => {
  it('comes from a node that is not syncing', async () => {
    nodes[0]!.answers['GET /eth/v1/node/syncing'] = { body: { data: { head_slot: '5', sync_distance: '95', is_syncing: true } } }
    expect(await beacon.head()).toEqual({ slot: 100, optimistic: false })
  })
})

describe('a block', () => {
  const HEADER = {
    slot: 9,
    proposerIndex: 7,
    parentRoot: Buffer.alloc(32, 2),
    stateRoot: Buffer.alloc(32, 3),
    bodyRoot: Buffer.alloc(32, 4),
  }
  const ROOT = blockHeaderRoot(HEADER)
  const message = {
    ...{ slot: '9', proposer_index: '7', parent_root: hex(2), state_root: hex(3), body_root: hex(4) },
    body: { execution_payload: { block_hash: hex(5), block_number: '5', fee_recipient: `0x${'06'.repeat(20)}` } },
  }
  const [header, block] = [`GET /eth/v1/beacon/headers/${formatHex(ROOT)}`, `GET /eth/v2/beacon/blocks/${formatHex(ROOT)}`]

  it('is what a node sends for its root', async () => {
    nodes[1]!.answers[header] = { body: { data: { header: { message } } } }
    nodes[1]!.answers[block] = { body: { data: { message } } }
    expect(await beacon.header(ROOT)).toEqual(HEADER)
    expect(await beacon.block(ROOT, HEADER)).toMatchObject({ slot: 9, proposerIndex: 7, payload: { blockHash: Buffer.alloc(32, 5) } })
  })

  it('is not another one that a node sends for its root', async () => {
    for (const node of nodes) {
      node.answers[header] = { body: { data: { header: { message: { ...message, proposer_index: '8' } } } } }
      node.answers[block] = { body: { data: { message: { ...message, parent_root: hex(9) } } } }
    }
    await expect(beacon.header(ROOT)).rejects.toThrow('beacon node 1 sent the header of another block.')
    await expect(beacon.block(ROOT, HEADER)).rejects.toThrow('beacon node 1 sent another block than the requested one.')
  })

  it('is not an optimistic one, which may be an orphan', async () => {
    nodes[0]!.answers[block] = { body: { execution_optimistic: true, finalized: true, data: { message } } }
    await expect(beacon.block(ROOT, HEADER)).rejects.toThrow('is not verified by its execution node')
    nodes[1]!.answers[block] = { body: { execution_optimistic: false, data: { message } } }
    expect(await beacon.block(ROOT, HEADER)).toMatchObject({ slot: 9 })
  })

  it('has a state, of which a node on another branch has another one', async () => {
    const path = '/eth/v1/beacon/states/9'
    nodes[0]!.answers[`GET ${path}/root`] = { body: { data: { root: hex(8) } } }
    nodes[1]!.answers[`GET ${path}/root`] = { body: { data: { root: hex(3) } } }
    nodes[1]!.answers[`POST ${path}/validators`] = { body: { data: [validator(1)] } }
    for (const node of nodes) node.answers[`POST ${path}/validators`] ??= { body: { data: [validator(2)] } }
    expect(await beacon.validators('9', [1], HEADER.stateRoot)).toMatchObject([{ index: 1 }])
  })
})

describe('a head that is stuck', () => {
  const SYNCING = 'GET /eth/v1/node/syncing'
  const stuck = (sync_distance: string) => ({
    body: { data: { head_slot: '378', sync_distance, is_syncing: false, is_optimistic: false } },
  })

  it('is not taken from a node that does not say that it is syncing', async () => {
    nodes[0]!.answers[SYNCING] = stuck('27')
    expect(await beacon.head()).toEqual({ slot: 100, optimistic: false })
    nodes[0]!.answers[SYNCING] = stuck('8')
    nodes[1]!.answers[SYNCING] = stuck('9')
    expect(await beacon.head(386)).toEqual({ slot: 378, optimistic: false })
  })

  it('does not fit the clock, whatever distance the node claims', async () => {
    for (const node of nodes) node.answers[SYNCING] = stuck('0')
    await expect(beacon.head(387)).rejects.toThrow('beacon node 1 is stuck at slot 378, 9 slots behind the clock.')
  })
})

describe('the proposers of an epoch', () => {
  const PATH = 'GET /eth/v1/validator/duties/proposer/7'

  it('are those that one node reports if another one fails', async () => {
    nodes[0]!.answers[PATH] = { status: 500, body: { code: 500, message: 'Requested epoch 7 must equal current 9 or next epoch 10' } }
    nodes[1]!.answers[PATH] = { body: { data: [{ slot: '224', validator_index: '5', pubkey: `0x${'01'.repeat(48)}` }] } }
    expect(await beacon.proposerDuties(7)).toEqual([{ slot: 224, validatorIndex: 5, pubkey: PUBKEY }])
  })

  it.each([404, 500])('are unknown if all nodes answer %i', async (status) => {
    for (const node of nodes) node.answers[PATH] = { status, body: { code: status, message: 'no' } }
    expect(await beacon.proposerDuties(7)).toBeUndefined()
  })
})

describe('sending an exit', () => {
  const POOL = 'POST /eth/v1/beacon/pool/voluntary_exits'

  it('sends it to every node and returns what each answered', async () => {
    nodes[0]!.answers[POOL] = { status: 500, body: { code: 500, message: 'VOLUNTARY_EXIT_ERROR_ALREADY_EXISTS' } }
    nodes[1]!.answers[POOL] = {}
    expect(await beacon.sendExit(EXIT)).toEqual([
      { node: 'beacon node 1', outcome: 'known', reason: 'VOLUNTARY_EXIT_ERROR_ALREADY_EXISTS' },
      { node: 'beacon node 2', outcome: 'accepted' },
    ])
    expect(JSON.parse(nodes[1]!.asked.at(-1)!.body)).toMatchObject({ message: { epoch: '1', validator_index: '2' } })
  })

  it('distinguishes a refusal from an unreachable node', async () => {
    nodes[0]!.answers[POOL] = { status: 500, body: { code: 500, message: 'VOLUNTARY_EXIT_ERROR_INVALID_SIGNATURE' } }
    nodes[1]!.answers[POOL] = { status: 503, body: 'busy' }
    expect(await beacon.sendExit(EXIT)).toMatchObject([{ outcome: 'refused' }, { outcome: 'unreachable', reason: 'busy' }])
  })
})

function hex(byte: number): string {
  return formatHex(Buffer.alloc(32, byte))
}

function validator(index: number) {
  return {
    index: String(index),
    balance: '32000000000',
    status: 'active_ongoing',
    validator: {
      pubkey: `0x${PUBKEY.toString('hex')}`,
      withdrawal_credentials: `0x${'01'.repeat(32)}`,
      effective_balance: '32000000000',
      slashed: false,
      activation_eligibility_epoch: '2',
      activation_epoch: '3',
      exit_epoch: '18446744073709551615',
      withdrawable_epoch: '18446744073709551615',
    },
  }
}
