import { verify } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Caller, VerifiedApproval } from '@trestle/contracts/caller'
import { approvalOf, type EndpointSpec } from '@trestle/contracts/endpoint'
import type { Permission } from '@trestle/contracts/permissions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { APPROVAL_LIFETIME_SECONDS, APPROVAL_TYPE, ApprovalClaims, approvalAudience, bodyDigest } from './approval-claims.js'
import { AuthConfig } from './auth-config.js'
import { approvalRequired, invalidApproval } from './auth-problems.js'
import { CLOCK_TOLERANCE_SECONDS } from './claims.js'
import { KeyStore } from './key-store.js'
import { hasLowS } from './low-s.js'
import { Memberships } from './memberships.js'
import { Revocations } from './revocations.js'
import { UsedApprovals } from './used-approvals.engine.js'

const HEADER = 'trestle-approval'
const MAX_LENGTH = 8192
const COMPACT_JWS = /^([\w-]+)\.([\w-]+)\.([\w-]{85}[AQgw])$/
const Header = z.strictObject({ alg: z.literal('ES256'), typ: z.literal(APPROVAL_TYPE), kid: z.string().max(100) })

type ApprovedRequest = Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'body'>

/** The approvals of second persons that organizations demand: verified here as tokens are, without asking accounts. */
@Injectable()
export class Approvals {
  private readonly used = new UsedApprovals()

  constructor(
    private readonly keys: KeyStore,
    private readonly memberships: Memberships,
    private readonly revocations: Revocations,
    private readonly config: AuthConfig,
  ) {}

  /**
   * The caller with the approval of this request, if its organization demands one; Problem `ApprovalRequired` without. Of an organization in the
   * path the handler decides, under its lock, whether one is demanded and still unused: for it an approval is only verified.
   */
  async admit(
    request: ApprovedRequest,
    reply: FastifyReply,
    { caller, endpoint }: { caller: Caller; endpoint: EndpointSpec },
  ): Promise<Caller> {
    const permission = approvalOf(endpoint)
    if (!permission || typeof endpoint.access === 'string') return caller
    const token = request.headers[HEADER]
    if (endpoint.access.organization === 'path') {
      if (token === undefined) return caller
      return { ...caller, approval: approvalIn(await this.verified(request, caller, permission)) }
    }
    const { organizationId, userId } = caller
    if (!this.memberships.policyOf(userId, organizationId).approvals.has(permission)) return caller
    if (token === undefined) throw approvalRequired(organizationId, permission)
    const claims = await this.verified(request, caller, permission)
    if (claims.org !== organizationId) throw invalidApproval('it is for another organization')
    if (!this.memberships.permissionsOf(claims.approver, organizationId)?.has(permission))
      throw invalidApproval('whoever approved may no longer do so')
    this.claim(claims, reply)
    return { ...caller, approval: approvalIn(claims) }
  }

  /** Once in this process; what fails may be repeated. */
  private claim({ jti, exp }: ApprovalClaims, { raw }: FastifyReply): void {
    this.used.claim(jti, exp + CLOCK_TOLERANCE_SECONDS, epochSeconds())
    raw.once('close', () => {
      if (raw.statusCode >= 400) this.used.release(jti)
    })
  }

  private async verified(request: ApprovedRequest, caller: Caller, permission: Permission): Promise<ApprovalClaims> {
    const claims = await this.read(request.headers[HEADER])
    const now = epochSeconds()
    if (now >= claims.exp + CLOCK_TOLERANCE_SECONDS) throw invalidApproval('it has expired')
    if (claims.iat > now + CLOCK_TOLERANCE_SECONDS || claims.exp - claims.iat > APPROVAL_LIFETIME_SECONDS)
      throw invalidApproval('its times are wrong')
    if (claims.sub !== caller.userId) throw invalidApproval('somebody else asked for it')
    if (claims.approver === claims.sub || claims.permission !== permission) throw invalidApproval('it approves something else')
    if (claims.method !== request.method || claims.path !== request.url) throw invalidApproval('it approves another request')
    if (claims.body !== bodyDigest(request.body ?? undefined)) throw invalidApproval('it approves another body')
    if (this.revocations.isUserBelow(claims.approver, claims.approver_ep))
      throw invalidApproval('whoever approved was signed out everywhere')
    return claims
  }

  /** What accounts has signed for this area. */
  private async read(token: unknown): Promise<ApprovalClaims> {
    const [, header = '', payload = '', mac = ''] =
      (typeof token === 'string' && token.length <= MAX_LENGTH && COMPACT_JWS.exec(token)) || []
    const { data: head } = Header.safeParse(decoded(header))
    const key = head && (await this.keys.find('account', head.kid))
    const signature = Buffer.from(mac, 'base64url')
    const isSigned =
      key && hasLowS(signature) && verify('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }, signature)
    const { data: claims } = ApprovalClaims.safeParse(isSigned ? decoded(payload) : undefined)
    if (!claims || claims.iss !== this.config.issuer || claims.aud !== approvalAudience(this.config.area))
      throw invalidApproval('it was not issued for this area')
    return claims
  }
}

function approvalIn({ jti: id, org: organizationId, permission, approver: approverId }: ApprovalClaims): VerifiedApproval {
  return { id, organizationId, permission, approverId }
}

function decoded(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString())
  } catch {
    return undefined
  }
}

function epochSeconds(): number {
  return Date.now() / 1000
}
