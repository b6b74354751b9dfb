import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { formatHex } from '@trestle/ethereum/hex'
import { type BlockHeader, blockHeaderRoot } from '@trestle/ethereum/ssz'
import { listenAndPrint } from './listen-and-print.ts'

// Just enough of a beacon node for a ledger: a chain with a number of active validators, some of them offline, whose rewards are paid
// exactly. Runs as a separate process, with that number and the genesis time as arguments; `/finalize` finalizes more.

const COUNT = Number(process.argv[2])
const GENESIS_TIME = Number(process.argv[3])
const FIRST = Number(process.argv[4])
const SLOTS = 32
const ETH = 1_000_000_000
const COMMITTEE = 51
const SYNC_GWEI = 18_000
const BLOCK_GWEI = 40_000
// Of a million; every tenth proposer is one of ours.
const OTHERS = 1_000_000

let finalized = FIRST
let requestedAt = 0
let requests = 0
const balances = new Map<number, Float64Array>()
const roots: Buffer[] = []
const slots = new Map<string, number>()
const names = Array.from({ length: COUNT }, (_, index) => pubkeyOf(index))

const server = createServer((request, response) => {
  answer(request).then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    () => response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":404,"message":"Not found."}'),
  )
})
server.keepAliveTimeout = 60_000
listenAndPrint(server)

async function answer(request: IncomingMessage): Promise<string> {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const sent = await text(request)
  const body = sent ? JSON.parse(sent) : undefined
  if (path === '/finalize') {
    finalized = body
    requestedAt = 0
    requests = 0
    return 'null'
  }
  if (path === '/counts') return JSON.stringify({ requestedAt, requests })
  const found = Object.entries(ROUTES).find(([route]) => new RegExp(`^/eth/v[12]/${route}$`).test(path))
  if (!found) throw new Error(path)
  const parameter = new RegExp(`^/eth/v[12]/${found[0]}$`).exec(path)?.[1] ?? ''
  if (!/finality|syncing|head/.test(path)) {
    requestedAt ||= Date.now()
    requests += 1
  }
  return `{"data":${found[1](parameter, body)}}`
}

const ROUTES: Record<string, (parameter: string, body: unknown) => string> = {
  'beacon/genesis': () => JSON.stringify({ genesis_time: String(GENESIS_TIME), genesis_validators_root: bytes(32) }),
  'config/spec': () =>
    JSON.stringify({
      ...{ GENESIS_FORK_VERSION: '0x00000001', CAPELLA_FORK_VERSION: '0x03000001', SLOTS_PER_EPOCH: String(SLOTS) },
      ...{ SHARD_COMMITTEE_PERIOD: '256', SECONDS_PER_SLOT: '12' },
    }),
  'config/deposit_contract': () => JSON.stringify({ chain_id: '31337', address: bytes(20, 1) }),
  'node/syncing': () => JSON.stringify({ head_slot: String((finalized + 2) * SLOTS), is_syncing: false, is_optimistic: false }),
  'beacon/states/head/finality_checkpoints': () =>
    JSON.stringify({ finalized: { epoch: String(finalized), root: formatHex(rootOf(finalized * SLOTS)) } }),
  'beacon/states/(\\w+)/validators': (state, body) => validators(state, (body as { ids: string[] }).ids),
  'beacon/states/\\w+/pending_deposits': () => '[]',
  'beacon/states/(\\d+)/root': (slot) => JSON.stringify({ root: formatHex(headerOf(Number(slot)).stateRoot) }),
  'beacon/headers/(0x\\w+)': (root) => JSON.stringify({ header: { message: header(slotOf(root)) } }),
  'beacon/blocks/(0x\\w+)': (root) => block(slotOf(root)),
  'beacon/rewards/attestations/(\\d+)': (_, body) => attestations(body as string[]),
  'beacon/rewards/sync_committee/(0x\\w+)': () =>
    JSON.stringify(
      Array.from({ length: 512 }, (_, i) => ({ validator_index: String(i < COMMITTEE ? i : OTHERS + i), reward: String(SYNC_GWEI) })),
    ),
  'beacon/rewards/blocks/(0x\\w+)': (root) =>
    JSON.stringify({ proposer_index: String(proposerOf(slotOf(root))), total: String(BLOCK_GWEI) }),
}

function validators(state: string, ids: readonly string[]): string {
  const epoch = state === 'head' ? finalized : Math.floor(Number(state) / SLOTS)
  const at = balancesAt(epoch)
  const rows = ids.map((id) => {
    const index = id.startsWith('0x') ? Number.parseInt(id.slice(-8), 16) : Number(id)
    return `{"index":"${index}","balance":"${at[index]}","status":"active_ongoing","validator":{"pubkey":"${names[index]}","withdrawal_credentials":"0x01${'00'.repeat(11)}${'a1'.repeat(20)}","effective_balance":"32000000000","slashed":false,"activation_eligibility_epoch":"0","activation_epoch":"1","exit_epoch":"18446744073709551615","withdrawable_epoch":"18446744073709551615"}}`
  })
  return `[${rows.join(',')}]`
}

function attestations(ids: readonly string[]): string {
  const rows = ids.map((id) => {
    const [head, target, source] = partsOf(Number(id))
    return `{"validator_index":"${id}","head":"${head}","target":"${target}","source":"${source}","inclusion_delay":"0","inactivity":"0"}`
  })
  const ideal = `{"effective_balance":"32000000000","head":"2776","target":"5152","source":"2776","inclusion_delay":"0","inactivity":"0"}`
  return `{"ideal_rewards":[${ideal}],"total_rewards":[${rows.join(',')}]}`
}

function block(slot: number): string {
  const swept = Array.from({ length: 16 }, (_, i) => ({
    ...{ index: String(slot * 16 + i), validator_index: String(OTHERS + i), address: bytes(20), amount: '1000000' },
  }))
  const execution_payload = { block_hash: bytes(32), block_number: String(slot), fee_recipient: bytes(20, 2), withdrawals: swept }
  const body = { execution_payload, attester_slashings: [], proposer_slashings: [] }
  return JSON.stringify({ message: { ...header(slot), body } })
}

function header(slot: number) {
  const { parentRoot, stateRoot, bodyRoot } = headerOf(slot)
  const roots = { parent_root: formatHex(parentRoot), state_root: formatHex(stateRoot), body_root: formatHex(bodyRoot) }
  return { slot: String(slot), proposer_index: String(proposerOf(slot)), ...roots }
}

function headerOf(slot: number): BlockHeader {
  const parentRoot = slot <= FIRST * SLOTS ? Buffer.alloc(32) : rootOf(slot - 1)
  return { slot, proposerIndex: proposerOf(slot), parentRoot, stateRoot: Buffer.alloc(32, slot), bodyRoot: Buffer.alloc(32) }
}

/** From the first block on, because a root contains the one before. */
function rootOf(slot: number): Buffer {
  for (let next = FIRST * SLOTS + roots.length; next <= slot; next++) {
    const root = blockHeaderRoot(headerOf(next))
    roots.push(root)
    slots.set(formatHex(root), next)
  }
  return roots[slot - FIRST * SLOTS] ?? Buffer.alloc(32)
}

function slotOf(root: string): number {
  return slots.get(root) ?? 0
}

/** One in fifty is away. */
function partsOf(index: number): [number, number, number] {
  return index % 50 === 7 ? [0, -5152, -2776] : [2776, 5152 - (index % 3), 2776]
}

function proposerOf(slot: number): number {
  return slot % 10 === 0 ? (slot * 7919) % COUNT : OTHERS + slot
}

/** At the first slot of an epoch, with its block. */
function balancesAt(epoch: number): Float64Array {
  const known = balances.get(epoch)
  if (known) return known
  if (epoch <= FIRST) return keep(epoch, new Float64Array(COUNT).fill(32 * ETH))
  const after = Float64Array.from(balancesAt(epoch - 1), (balance, index) => balance + partsOf(index).reduce((sum, part) => sum + part, 0))
  for (let slot = (epoch - 1) * SLOTS + 1; slot <= epoch * SLOTS; slot++) {
    for (let index = 0; index < COMMITTEE; index++) after[index] = (after[index] ?? 0) + SYNC_GWEI
    const proposer = proposerOf(slot)
    if (proposer < COUNT) after[proposer] = (after[proposer] ?? 0) + BLOCK_GWEI
  }
  return keep(epoch, after)
}

function keep(epoch: number, state: Float64Array): Float64Array {
  balances.set(epoch, state)
  return state
}

function pubkeyOf(index: number): string {
  return `0x${index.toString(16).padStart(96, '0')}`
}

function bytes(count: number, value = 0): string {
  return `0x${value.toString(16).padStart(2, '0').repeat(count)}`
}
