import { Injectable } from '@nestjs/common'
import type { NewValidator } from '@trestle/contracts/staking/validators'
import { MIN_ACTIVATION_BALANCE_GWEI } from '@trestle/ethereum/deposit'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import { type CredentialsKind, withdrawalCredentialsOf } from '@trestle/ethereum/withdrawal-credentials'
import { Problem } from '@trestle/problem/problem'
import type { ChainSettings } from '../chains/chain-settings.js'
import { ChainsService } from '../chains/chains.service.js'
import { KeyGenerator } from '../keys/key-generator.engine.js'
import { PolicyService } from './policy.service.js'
import { type Creator, invalidAddress, type OwnedValidator, parseMemberAddress, requestHashOf } from './validator.js'
import { type NewValidatorRow, ValidatorsRepository } from './validators.repository.js'

export interface CreationRequest extends Creator {
  readonly given: NewValidator
  /** The caller's Idempotency-Key. */
  readonly requestKey?: string
}

/** Creates validators: a key each, and the deposit that binds it. */
@Injectable()
export class CreationService {
  constructor(
    private readonly validators: ValidatorsRepository,
    private readonly chains: ChainsService,
    private readonly keyGenerator: KeyGenerator,
    private readonly policy: PolicyService,
  ) {}

  async create(order: CreationRequest, now: Date): Promise<OwnedValidator> {
    const { userId, chain, given, requestKey } = order
    const region = regionOf(this.chains.settings(chain), given.region)
    const request = requestKey === undefined ? undefined : { key: requestKey, hash: requestHashOf(order, given) }
    const earlier = request && (await this.validators.findRequest(userId, request.key))
    const validator = earlier ?? (await this.add(order, { region, request, createdAt: now }))
    if (request && !validator.requestHash?.equals(request.hash))
      throw new Problem('conflict', 'IdempotencyKeyReused', 'This Idempotency-Key was used for another request: use a new one.')
    return validator
  }

  private async add(order: CreationRequest, given: Pick<NewValidatorRow, 'region' | 'request' | 'createdAt'>): Promise<OwnedValidator> {
    const { userId, organizationId, chain } = order
    const row = { ...(await this.generateKey(order)), chain, userId, organizationId, ...given }
    return this.validators.add(row, (counts) => this.policy.checkCount(counts))
  }

  private async generateKey({ chain, given: { withdrawalAddress, feeAddress, compounding } }: CreationRequest) {
    const { network } = await this.chains.get(chain)
    const withdrawalCredentials = credentialsOf(withdrawalAddress, compounding ? 'compounding' : 'execution', network)
    const feeRecipient =
      feeAddress === undefined ? parseMemberAddress(withdrawalAddress, 'withdrawalAddress') : parseMemberAddress(feeAddress, 'feeAddress')
    const terms = { withdrawalCredentials, amountGwei: MIN_ACTIVATION_BALANCE_GWEI, network }
    const { depositCall, ...key } = await this.keyGenerator.create(terms)
    return { ...key, withdrawalCredentials, feeAddress: feeRecipient, depositData: depositCall }
  }
}

function regionOf({ name: chain, regions }: ChainSettings, requested?: string): string {
  const region = requested === undefined ? regions[0] : regions.find(({ name }) => name === requested)
  if (region) return region.name
  const names = regions.map(({ name }) => name).join(', ')
  throw new Problem('invalid', 'UnknownRegion', `${chain} has no such region; choose one of: ${names}.`)
}

function credentialsOf(withdrawalAddress: string, kind: CredentialsKind, network: EthereumNetwork): Buffer {
  const address = parseMemberAddress(withdrawalAddress, 'withdrawalAddress')
  try {
    return withdrawalCredentialsOf(address, kind, network)
  } catch (error) {
    throw invalidAddress('withdrawalAddress', error)
  }
}
