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
    expect(await beacon.finality()).toEqual({ finalizedEpoch: 1 })
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

describe('the head', () => {
  it('comes from a node that is not syncing', async () => {
    nodes[0]!.answers['GET /eth/v1/node/syncing'] = { body: { data: { head_slot: '5', sync_distance: '95', is_syncing: true } } }
    expect(await beacon.head()).toEqual({ slot: 100, optimistic: false })
  })

  it('has no block in an empty slot, and an unknown one in a future slot', async () => {
    expect(await beacon.block(99)).toBeUndefined()
    await expect(beacon.block(101)).rejects.toThrow('has not reached slot 101 yet')
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
