import { SLOTS_PER_EPOCH } from '@lodestar/params'
import { ssz } from '@lodestar/types'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'
import type { StateView } from './history.js'
import { ApiError, jsonObjectOf, param, parseStrings, queryList } from './http.js'
import { findIndex, findIndices, findState, isFinalized } from './lookup.js'
import { beaconStatusOf, isStatusFilter, matchesFilter } from './validator-status.js'

const STATE = '/eth/v1/beacon/states/:state'
// beacon-APIs: maxItems of the parameter id.
const MAX_IDS = 64

export function registerStates(server: FastifyInstance, chain: BeaconChain): void {
  const get = (path: string, read: (state: StateView, request: FastifyRequest) => unknown) =>
    server.get(`${STATE}${path}`, (request) => answer(chain, request, read))
  const post = (path: string, read: (state: StateView, request: FastifyRequest) => unknown) =>
    server.post(`${STATE}${path}`, (request) => answer(chain, request, read))
  get('/root', (state) => ({ root: `0x${Buffer.from(state.hashTreeRoot()).toString('hex')}` }))
  get('/fork', (state) => ssz.phase0.Fork.toJson(state.fork.toValue()))
  get('/finality_checkpoints', checkpointsOf)
  get('/validators', (state, request) => validators(chain, state, idsOfQuery(request), queryList(request, 'status')))
  post('/validators', (state, request) => {
    const { ids, statuses } = request.body === undefined ? {} : jsonObjectOf(request)
    return validators(chain, state, parseStrings(ids, 'ids'), parseStrings(statuses, 'statuses'))
  })
  get('/validators/:validator', (state, request) => oneValidator(chain, state, param(request, 'validator')))
  get('/validator_balances', (state, request) => balances(chain, state, idsOfQuery(request)))
  post('/validator_balances', (state, request) => balances(chain, state, parseStrings(request.body, 'The body')))
  get('/pending_deposits', (state) => state.pendingDeposits.getAllReadonlyValues().map((each) => ssz.electra.PendingDeposit.toJson(each)))
  get('/pending_consolidations', (state) =>
    state.pendingConsolidations.getAllReadonlyValues().map((each) => ssz.electra.PendingConsolidation.toJson(each)),
  )
  get('/pending_partial_withdrawals', (state) =>
    state.pendingPartialWithdrawals.getAllReadonlyValues().map((each) => ssz.electra.PendingPartialWithdrawal.toJson(each)),
  )
}

function answer(chain: BeaconChain, request: FastifyRequest, read: (state: StateView, request: FastifyRequest) => unknown) {
  const state = findState(chain, param(request, 'state'))
  const data = read(state, request)
  return { version: 'electra', execution_optimistic: false, finalized: isFinalized(chain, state.slot), data }
}

function checkpointsOf({ previousJustifiedCheckpoint, currentJustifiedCheckpoint, finalizedCheckpoint }: StateView) {
  return {
    previous_justified: ssz.phase0.Checkpoint.toJson(previousJustifiedCheckpoint.toValue()),
    current_justified: ssz.phase0.Checkpoint.toJson(currentJustifiedCheckpoint.toValue()),
    finalized: ssz.phase0.Checkpoint.toJson(finalizedCheckpoint.toValue()),
  }
}

function validators(chain: BeaconChain, state: StateView, ids: readonly string[], statuses: readonly string[]) {
  const unknown = statuses.find((status) => !isStatusFilter(status))
  if (unknown !== undefined) throw new ApiError(400, `There is no status ${unknown}.`)
  const indices = selectIndices(chain, state, ids)
  const balancesGwei = state.balances.getAll()
  const all = state.validators.getAllReadonlyValues()
  const rows = indices.map((index) => {
    const validator = all[index]
    if (!validator) throw new ApiError(500, `The state has no validator ${index}.`)
    const balance = balancesGwei[index] ?? 0
    return { index, balance, validator, status: beaconStatusOf(validator, balance, Math.floor(state.slot / SLOTS_PER_EPOCH)) }
  })
  return rows
    .filter(({ status }) => matchesFilter(status, statuses))
    .map(({ index, balance, validator, status }) => ({
      index: String(index),
      balance: String(balance),
      status,
      validator: ssz.phase0.Validator.toJson(validator),
    }))
}

function oneValidator(chain: BeaconChain, state: StateView, id: string) {
  const index = findIndex(chain, id)
  if (index === undefined || index >= state.validators.length) throw new ApiError(404, `There is no validator ${id} in this state.`)
  return validators(chain, state, [String(index)], [])[0]
}

function balances(chain: BeaconChain, state: StateView, ids: readonly string[]) {
  const all = state.balances.getAll()
  return selectIndices(chain, state, ids).map((index) => ({ index: String(index), balance: String(all[index]) }))
}

/** All of them if none are given. */
function selectIndices(chain: BeaconChain, state: StateView, ids: readonly string[]): number[] {
  const count = state.validators.length
  if (ids.length === 0) return Array.from({ length: count }, (_, index) => index)
  return findIndices(chain, ids).filter((index) => index < count)
}

function idsOfQuery(request: FastifyRequest): string[] {
  const ids = queryList(request, 'id')
  if (ids.length > MAX_IDS) throw new ApiError(414, `At most ${MAX_IDS} ids; POST accepts more.`)
  return ids
}
