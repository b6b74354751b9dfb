import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, UseGuards } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { getMembership } from '@trestle/contracts/accounts/messages'
import type { Role } from '@trestle/contracts/accounts/organizations'
import { NatsClient } from '@trestle/messaging/nats.client'
import type { FastifyRequest } from 'fastify'
import { firstValueFrom } from 'rxjs'
import { missingRole } from './auth-problems.js'

const ROLES = 'trestle:roles'

/** Lets in only a caller who has one of these roles in an organization. */
export function Roles(...roles: [Role, ...Role[]]): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ROLES, roles), UseGuards(RolesGuard))
}

/** Asks accounts at every call, so that a role taken away is gone at once. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly nats: NatsClient,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const wanted = this.reflector.getAllAndOverride<Role[]>(ROLES, [context.getHandler(), context.getClass()])
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!caller) throw new Error(`${context.getHandler().name} wants a role, but its contract lets in callers without a token`)
    const { roles } = await firstValueFrom(this.nats.send(getMembership, { userId: caller.userId }))
    if (!wanted.some((role) => roles.includes(role))) throw missingRole(wanted)
    return true
  }
}
