import { SLOTS_PER_EPOCH } from '@lodestar/params'
import { formatHex, parseHex } from '@trestle/ethereum/hex'
import type { FastifyInstance } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'
import { ApiError, jsonObjectOf, parseStrings } from './http.js'
import { findIndex } from './lookup.js'
import type { ValidatorSigners } from './signers.js'

interface DevApiOptions {
  readonly chain: BeaconChain
  readonly signers: ValidatorSigners
  readonly advance: (slots: number) => Promise<void>
  /** Servers that are down: `beacon`, or a keymanager's name. */
  readonly down: Set<string>
}

/** What no real node has: control over time, failures, and queries for tests. */
export function registerDev(server: FastifyInstance, options: DevApiOptions): void {
  const { chain, signers, down } = options
  server.get('/dev/status', () => statusOf(options))
  server.get('/dev/double-signers', () => signers.doubleSigners)
  server.get('/dev/offline', () => [...signers.offline])
  server.post('/dev/advance', async (request) => {
    await options.advance(slotsOf(jsonObjectOf(request)))
    return statusOf(options)
  })
  server.post('/dev/offline', (request, reply) => {
    const { pubkeys, offline } = jsonObjectOf(request)
    for (const pubkey of parseStrings(pubkeys, 'pubkeys').map(canonical)) mark(signers.offline, pubkey, offline)
    return reply.code(204).send()
  })
  server.post('/dev/slash', (request, reply) => {
    slash(chain, signers, canonical(String(jsonObjectOf(request).pubkey)))
    return reply.code(202).send()
  })
  server.post('/dev/orphan', (_request, reply) => {
    chain.orphanNext()
    return reply.code(204).send()
  })
  server.post('/dev/freeze', (request, reply) => {
    chain.freeze(jsonObjectOf(request).frozen === true)
    return reply.code(204).send()
  })
  server.post('/dev/down', (request, reply) => {
    const body = jsonObjectOf(request)
    const name = String(body.server)
    if (name !== 'beacon' && !signers.keymanagers.some((keymanager) => keymanager.name === name))
      throw new ApiError(404, `There is no server ${name}.`)
    mark(down, name, body.down)
    return reply.code(204).send()
  })
}

function statusOf({ chain, signers, down }: DevApiOptions) {
  const { slot, epochCtx, finalizedCheckpoint, currentJustifiedCheckpoint } = chain.head
  return {
    slot,
    epoch: epochCtx.epoch,
    headBlockSlot: chain.slotOfHeadBlock,
    justifiedEpoch: currentJustifiedCheckpoint.epoch,
    finalizedEpoch: finalizedCheckpoint.epoch,
    validators: chain.head.validators.length,
    keys: Object.fromEntries(signers.keymanagers.map((keymanager) => [keymanager.name, keymanager.list()])),
    down: [...down],
  }
}

function slotsOf({ slots, epochs }: Record<string, unknown>): number {
  const count = typeof epochs === 'number' ? epochs * SLOTS_PER_EPOCH : slots
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new ApiError(400, '`slots` or `epochs` must be a number that is not negative.')
  return count
}

function slash(chain: BeaconChain, signers: ValidatorSigners, pubkey: string) {
  const validator = findIndex(chain, pubkey)
  const key = signers.secretOf(pubkey)
  if (validator === undefined || !key) throw new ApiError(404, `No client here has the key ${pubkey}, or the chain has no such validator.`)
  if (!chain.slash(validator, key)) throw new ApiError(409, 'The validator cannot be slashed: it was slashed before, or is not active.')
}

function mark(set: Set<string>, name: string, value: unknown) {
  if (value === true) set.add(name)
  else if (value === false) set.delete(name)
  else throw new ApiError(400, 'The value must be true or false.')
}

function canonical(pubkey: string): string {
  return formatHex(parseHex(pubkey, 48))
}
