import { parseAddress } from '@trestle/ethereum/address'
import { formatHex, parseHex } from '@trestle/ethereum/hex'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { formatExit, signExit } from '@trestle/ethereum/voluntary-exit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'
import { ApiError, jsonObjectOf, param, parseStrings, parseWholeNumber, queryList } from './http.js'
import type { Keymanager, KeyOutcome } from './keymanager.js'
import { findIndex } from './lookup.js'

interface KeymanagerApiOptions {
  readonly keymanager: Keymanager
  readonly chain: BeaconChain
  readonly token: string
}

/** github.com/ethereum/keymanager-APIs, without remote keys. */
export function registerKeymanager(server: FastifyInstance, { keymanager, chain, token }: KeymanagerApiOptions): void {
  server.addHook('onRequest', async (request) => {
    if (request.headers.authorization !== `Bearer ${token}`) throw new ApiError(401, 'The token is missing or wrong.')
  })
  server.get('/eth/v1/keystores', () => ({
    data: keymanager.list().map((pubkey) => ({ validating_pubkey: pubkey, derivation_path: '', readonly: false })),
  }))
  server.post('/eth/v1/keystores', (request) => importKeystores(keymanager, request))
  server.delete('/eth/v1/keystores', (request) => removeKeystores(keymanager, request))
  const validator = '/eth/v1/validator/:pubkey'
  server.get(`${validator}/feerecipient`, (request) => {
    const pubkey = held(keymanager, request)
    return { data: { pubkey, ethaddress: keymanager.feeRecipientOf(pubkey) } }
  })
  server.post(`${validator}/feerecipient`, (request, reply) => {
    keymanager.setFeeRecipient(held(keymanager, request), addressOf(jsonObjectOf(request).ethaddress))
    return reply.code(202).send()
  })
  server.delete(`${validator}/feerecipient`, (request, reply) => {
    keymanager.resetFeeRecipient(held(keymanager, request))
    return reply.code(204).send()
  })
  server.post(`${validator}/voluntary_exit`, (request) => ({ data: exitOf(keymanager, chain, request) }))
}

async function importKeystores(keymanager: Keymanager, request: FastifyRequest) {
  const body = jsonObjectOf(request)
  const keystores = parseStrings(body.keystores, 'keystores')
  const passwords = parseStrings(body.passwords, 'passwords')
  if (keystores.length !== passwords.length) throw new ApiError(400, 'The numbers of keystores and passwords differ.')
  // Before any key may sign.
  if (body.slashing_protection) keymanager.protect(body.slashing_protection)
  const data: KeyOutcome[] = []
  for (const [index, keystore] of keystores.entries()) data.push(await keymanager.import(keystore, passwords[index] ?? '').catch(failed))
  return { data }
}

function removeKeystores(keymanager: Keymanager, request: FastifyRequest) {
  const pubkeys = parseStrings(jsonObjectOf(request).pubkeys, 'pubkeys').map((pubkey) => formatHex(parseHex(pubkey, 48)))
  const data = pubkeys.map((pubkey) => keymanager.remove(pubkey))
  return { data, slashing_protection: JSON.stringify(keymanager.exportOf(pubkeys)) }
}

function exitOf(keymanager: Keymanager, chain: BeaconChain, request: FastifyRequest) {
  const pubkey = held(keymanager, request)
  const key = keymanager.keyOf(pubkey)
  const validatorIndex = findIndex(chain, pubkey)
  if (!key || validatorIndex === undefined) throw new ApiError(404, `The chain has no validator ${pubkey} yet.`)
  const [epoch] = queryList(request, 'epoch')
  const { config } = chain.head
  const message = {
    epoch: BigInt(epoch === undefined ? chain.head.epochCtx.epoch : parseWholeNumber(epoch, 'epoch')),
    validatorIndex: BigInt(validatorIndex),
  }
  const network = {
    capellaForkVersion: Buffer.from(config.CAPELLA_FORK_VERSION),
    genesisValidatorsRoot: Buffer.from(config.genesisValidatorsRoot),
  }
  return formatExit(signExit(key, message, network))
}

function held(keymanager: Keymanager, request: FastifyRequest): string {
  const pubkey = formatHex(parseHex(param(request, 'pubkey'), 48))
  if (!keymanager.holds(pubkey)) throw new ApiError(404, `This validator client has no key ${pubkey}.`)
  return pubkey
}

function addressOf(value: unknown): string {
  const address = formatHex(parseAddress(String(value)))
  if (/^0x0+$/.test(address)) throw new ApiError(400, 'The zero address receives no fees.')
  return address
}

function failed(error: unknown): KeyOutcome {
  if (!(error instanceof InvalidEthereumData)) throw error
  return { status: 'error', message: error.message }
}
