import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { validators } from '@trestle/contracts/staking/validators'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { DesiredStateService } from './desired-state.service.js'
import { FeeAddressesService } from './fee-addresses.service.js'
import { ValidatorsService } from './validators.service.js'

type Of<E extends keyof typeof validators> = Input<(typeof validators)[E]>
type Replied<E extends keyof typeof validators> = Promise<Reply<(typeof validators)[E]>>

@Controller()
export class ValidatorsController {
  constructor(
    private readonly validators: ValidatorsService,
    private readonly feeAddresses: FeeAddressesService,
    private readonly desiredState: DesiredStateService,
  ) {}

  @Serves(validators.list)
  list(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, query }: Of<'list'>): Replied<'list'> {
    return this.validators.list(organizationId, params.chain, query)
  }

  @Serves(validators.get)
  get(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.validators.get({ organizationId, ...params })
  }

  @Serves(validators.create)
  create(@CurrentCaller() { userId, organizationId }: CurrentCaller, @Parsed() { params, body, headers }: Of<'create'>): Replied<'create'> {
    return this.validators.create({ userId, organizationId, chain: params.chain, given: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(validators.changeFeeAddress)
  changeFeeAddress(
    @CurrentCaller() { userId, organizationId }: CurrentCaller,
    @Parsed() { params, body }: Of<'changeFeeAddress'>,
  ): Promise<void> {
    return this.feeAddresses.change({ organizationId, ...params }, body.feeAddress, userId)
  }

  @Serves(validators.remove)
  remove(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'remove'>): Promise<void> {
    return this.desiredState.remove({ organizationId, ...params })
  }

  @Serves(validators.restore)
  async restore(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'restore'>): Promise<void> {
    await this.desiredState.restore({ organizationId, ...params })
  }

  @Serves(validators.transfer)
  transfer(@CurrentCaller() caller: CurrentCaller, @Parsed() { params, body }: Of<'transfer'>): Replied<'transfer'> {
    return this.validators.transfer(caller, { organizationId: caller.organizationId, ...params }, body.organization)
  }

  @Serves(validators.exit)
  exit(@CurrentCaller() { userId, organizationId }: CurrentCaller, @Parsed() { params, body }: Of<'exit'>): Promise<void> {
    return this.desiredState.exit({ organizationId, ...params }, userId, body)
  }
}
