import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { callClassOf, type EndpointSpec } from '@trestle/contracts/endpoint'
import { ENDPOINT } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { ApiBudget } from './api-budget.engine.js'
import { Authenticator } from './authenticator.js'
import { KeyRestrictions } from './key-restrictions.engine.js'
import { requireFreshFactor } from './step-up.js'

/** The global guard of a service: lets in the callers that the contract of the endpoint (`@Serves`) names. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly budget: ApiBudget,
    private readonly restrictions: KeyRestrictions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // A message over NATS carries no token: only our own services can send one.
    if (context.getType() !== 'http') return true
    const endpoint = this.reflector.get<EndpointSpec | undefined>(ENDPOINT, context.getHandler())
    if (!endpoint) throw new Error(`${context.getClass().name}.${context.getHandler().name} needs @Serves, which says who may call it.`)
    const { access } = endpoint
    if (access === 'public' || access === 'basic') return true
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    request.caller = await this.authenticator.authenticate(request, access)
    this.restrictions.admit(request.caller, request.clientAddress, Date.now())
    if (endpoint.stepUp) requireFreshFactor(request.caller, new Date())
    this.budget.spend(callClassOf(endpoint), request.caller.userId)
    return true
  }
}
