import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, UseGuards } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { getMembership } from '@trestle/contracts/accounts/messages'
import type { Role } from '@trestle/contracts/accounts/organizations'
import { NatsClient } from '@trestle/messaging/nats.client'
import type { FastifyRequest } from 'fastify'
import { firstValueFrom } from 'rxjs'
import { missingRole } from '../src/auth-problems.js'

const ROLES = 'trestle:roles'

/** Lets in only callers with one of these roles in their organization: as the release before decides, which asks accounts at each call. */
export function Roles(...roles: [Role, ...Role[]]): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ROLES, roles), UseGuards(RolesGuard))
}

/** Requests the roles from accounts at every call, so that a removed role is gone at once. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly nats: NatsClient,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const accepted = this.reflector.getAllAndOverride<Role[]>(ROLES, [context.getHandler(), context.getClass()])
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!caller) throw new Error(`${context.getHandler().name} requires a role, but its contract lets in callers without a token.`)
    const { roles } = await firstValueFrom(this.nats.send(getMembership, { userId: caller.userId }))
    if (!accepted.some((role) => roles.includes(role))) throw missingRole(accepted)
    return true
  }
}
