import { VoluntaryExitValidity } from '@lodestar/state-transition'
import { ssz } from '@lodestar/types'
import { formatHex } from '@trestle/ethereum/hex'
import { formatExit, parseExit } from '@trestle/ethereum/voluntary-exit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'
import { DEPOSIT_CONTRACT } from './deposit-contract.js'
import { type BlockRecord, decodeBlock } from './history.js'
import { ApiError, param, parseStrings, parseWholeNumber } from './http.js'
import { findBlock, isFinalized, isOrphan } from './lookup.js'
import { configSpecOf } from './network.js'
import { pubkeyOf } from './votes.js'

/** The endpoints for neither states nor rewards (github.com/ethereum/beacon-APIs). */
export function registerBeacon(server: FastifyInstance, chain: BeaconChain): void {
  const { config } = chain.head
  const spec = configSpecOf(config)
  server.get('/eth/v1/beacon/genesis', () => ({ data: genesisOf(chain) }))
  server.get('/eth/v1/config/spec', () => ({ data: spec }))
  server.get('/eth/v1/config/deposit_contract', () => ({ data: { chain_id: String(config.DEPOSIT_CHAIN_ID), address: DEPOSIT_CONTRACT } }))
  server.get('/eth/v1/node/version', () => ({ data: { version: 'TrestleDevBeacon/v1 (Lodestar state transition 1.46.0)' } }))
  server.get('/eth/v1/node/health', (_request, reply) => reply.code(200).send())
  server.get('/eth/v1/node/syncing', () => ({ data: syncingOf(chain) }))
  server.get('/eth/v1/beacon/headers/:block', (request) => header(chain, param(request, 'block')))
  server.get('/eth/v2/beacon/blocks/:block', (request, reply) => block(chain, param(request, 'block'), reply))
  server.get('/eth/v1/beacon/blocks/:block/root', (request) => root(chain, param(request, 'block')))
  server.get('/eth/v1/validator/duties/proposer/:epoch', (request) =>
    proposers(chain, parseWholeNumber(param(request, 'epoch'), 'The epoch')),
  )
  server.post('/eth/v1/validator/liveness/:epoch', (request) =>
    liveness(chain, parseWholeNumber(param(request, 'epoch'), 'The epoch'), parseStrings(request.body, 'The body')),
  )
  server.get('/eth/v1/beacon/pool/voluntary_exits', () => ({
    data: [...chain.pool.exits.values()].map((exit) => ssz.phase0.SignedVoluntaryExit.toJson(exit)),
  }))
  server.post('/eth/v1/beacon/pool/voluntary_exits', (request, reply) => {
    addExit(chain, request.body)
    return reply.code(200).send()
  })
}

function genesisOf({ head }: BeaconChain) {
  return {
    genesis_time: String(head.genesisTime),
    genesis_validators_root: formatHex(head.genesisValidatorsRoot),
    // Deposits are signed for this fork, although the first slot is in Electra.
    genesis_fork_version: formatHex(head.config.GENESIS_FORK_VERSION),
  }
}

function syncingOf({ head, reportedSlot }: BeaconChain) {
  return {
    head_slot: String(reportedSlot),
    sync_distance: String(head.slot - reportedSlot),
    is_syncing: false,
    is_optimistic: false,
    el_offline: false,
  }
}

function header(chain: BeaconChain, id: string) {
  const record = findBlock(chain, id)
  const { message, signature } = decodeBlock(record)
  const { slot, proposerIndex, parentRoot, stateRoot, body } = message
  const bodyRoot = ssz.electra.BeaconBlockBody.hashTreeRoot(body)
  const signed = ssz.phase0.SignedBeaconBlockHeader.toJson({ message: { slot, proposerIndex, parentRoot, stateRoot, bodyRoot }, signature })
  return answer(chain, record, { root: record.root, canonical: !isOrphan(chain, record), header: signed })
}

function block(chain: BeaconChain, id: string, reply: FastifyReply) {
  const record = findBlock(chain, id)
  const signed = decodeBlock(record)
  reply.header('Eth-Consensus-Version', 'electra')
  return { version: 'electra', ...answer(chain, record, ssz.electra.SignedBeaconBlock.toJson(signed)) }
}

function root(chain: BeaconChain, id: string) {
  const record = findBlock(chain, id)
  return answer(chain, record, { root: record.root })
}

function proposers(chain: BeaconChain, epoch: number) {
  const { epochCtx, config } = chain.head
  if (epoch > epochCtx.epoch + 1) throw new ApiError(400, `Epoch ${epoch} is after the next one.`)
  const indices = epoch > epochCtx.epoch ? epochCtx.getBeaconProposersNextEpoch() : chain.history.proposersOf(epoch)
  if (!indices) throw new ApiError(404, `The proposers of epoch ${epoch} are no longer kept.`)
  const first = epoch * indices.length
  return {
    dependent_root: formatHex(config.genesisValidatorsRoot),
    execution_optimistic: false,
    data: indices.map((index, offset) => ({
      pubkey: pubkeyOf(chain.head, index),
      validator_index: String(index),
      slot: String(first + offset),
    })),
  }
}

/** Whether blocks contain a vote of the epoch, as far as states keep that: of the current one and the one before. */
function liveness({ head }: BeaconChain, epoch: number, ids: readonly string[]) {
  const current = head.epochCtx.epoch
  if (epoch !== current && epoch !== current - 1) throw new ApiError(400, `Epoch ${epoch} is neither the current one nor the one before.`)
  const participation = epoch === current ? head.currentEpochParticipation : head.previousEpochParticipation
  const indices = ids.map((id) => parseWholeNumber(id, 'The index')).filter((index) => index < head.validators.length)
  return { execution_optimistic: false, data: indices.map((index) => ({ index: String(index), is_live: participation.get(index) > 0 })) }
}

/** Accepts an exit again that is in the pool already. */
function addExit(chain: BeaconChain, body: unknown) {
  const { message, signature } = parseExit(body)
  const exit = { message: { epoch: Number(message.epoch), validatorIndex: Number(message.validatorIndex) }, signature }
  const known = chain.pool.exits.get(exit.message.validatorIndex)
  if (known && ssz.phase0.SignedVoluntaryExit.equals(known, exit)) return
  const validity = chain.validityOf(exit)
  if (validity !== VoluntaryExitValidity.valid)
    throw new ApiError(400, `The exit ${JSON.stringify(formatExit({ message, signature }).message)} is not valid: ${validity}`)
  chain.pool.exits.set(exit.message.validatorIndex, exit)
}

function answer(chain: BeaconChain, record: BlockRecord, data: unknown) {
  return { execution_optimistic: isOrphan(chain, record), finalized: isFinalized(chain, record.slot), data }
}
