import { hasMember, isObject, member, type Params } from './params.js'

/**
 * The addresses a call asks about. Whatever stands in place of one is in it too, also when nothing does:
 * a list of allowed contracts refuses what it cannot recognise.
 * A signed transaction is not looked into: what a project may send is said by its methods.
 */
export function addressesIn(method: string, params: Params): readonly unknown[] {
  return ASKED.get(method)?.(params) ?? []
}

// In place of what should be there and is not: no contract has this address.
const NOTHING = [undefined]

const target = ([transaction]: Params) => [member(transaction, 'to')]
const logs = ([filter]: Params) => anyOf(member(filter, 'address'))
const account = ([address]: Params) => [address]

const ASKED: ReadonlyMap<string, (params: Params) => readonly unknown[]> = new Map([
  ['eth_call', target],
  ['eth_estimateGas', target],
  ['eth_createAccessList', target],
  ['eth_fillTransaction', target],
  ['eth_simulateV1', simulated],
  ['eth_getLogs', logs],
  ['eth_newFilter', logs],
  ['eth_subscribe', ([kind, filter]: Params) => (kind === 'logs' ? logs([filter]) : [])],
  ['eth_getBalance', account],
  ['eth_getCode', account],
  ['eth_getStorageAt', account],
  ['eth_getProof', account],
  ['eth_getAccount', account],
  ['eth_getStorageValues', ([slots]: Params) => keysOf(slots)],
])

/** The targets of all calls of all its blocks. */
function simulated([simulation]: Params): readonly unknown[] {
  return listOf(member(simulation, 'blockStateCalls'))
    .flatMap(callsOf)
    .map((call) => member(call, 'to'))
}

/** A block may do without calls. */
function callsOf(block: unknown): readonly unknown[] {
  return isObject(block) && !hasMember(block, 'calls') ? [] : listOf(member(block, 'calls'))
}

/** None at all means those of every contract. */
function anyOf(address: unknown): readonly unknown[] {
  return Array.isArray(address) && address.length > 0 ? address : [address]
}

function keysOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.keys(value) : NOTHING
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING
}
