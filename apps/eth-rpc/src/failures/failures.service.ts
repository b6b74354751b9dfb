import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { FailedCall, projectErrors, projectFailures } from '@trestle/contracts/eth-rpc/failures'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { rangeOf } from '@trestle/usage/usage-range'
import { ProjectsService } from '../projects/projects.service.js'
import { type FailureSample, failureKindOf } from './failed-call.js'
import { FailuresRepository } from './failures.repository.js'

const MAX_DAYS = { hour: 7, day: 30 } as const
const DAY_MS = 86_400_000
const SAMPLE_DAYS = 7
const COUNT_DAYS = 30
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface ProjectReference {
  readonly organizationId: string
  readonly id: string
}

/** Why the calls of a project failed. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly failures: FailuresRepository,
    private readonly clock: Clock,
  ) {}

  async count(owned: ProjectReference, query: Input<typeof projectErrors.list>['query']): Promise<Reply<typeof projectErrors.list>> {
    const { granularity } = query
    const { from, to } = rangeOf(query, this.clock.now(), { granularity, maxDays: MAX_DAYS[granularity] })
    const project = await this.projects.serialOf(owned)
    const rows = await this.failures.count({ project, from, to, granularity })
    const errors = rows.map((row) => ({ ...row, time: row.time.toISOString(), kind: failureKindOf(row.code) }))
    return { from: from.toISOString(), to: to.toISOString(), granularity, errors }
  }

  /** A page, and the cursor of the next one. */
  async list(
    owned: ProjectReference,
    { cursor, limit, ...query }: Input<typeof projectFailures.list>['query'],
  ): Promise<{ failures: FailedCall[]; next?: string }> {
    if (cursor !== undefined && !UUID.test(cursor)) throw invalidCursor()
    const project = await this.projects.serialOf(owned)
    const samples = await this.failures.list({ ...query, project, before: cursor, limit: limit + 1 })
    const page = samples.slice(0, limit)
    return { failures: page.map(describeSample), next: samples.length > limit ? page.at(-1)?.id : undefined }
  }

  async get(owned: ProjectReference, requestId: string): Promise<FailedCall[]> {
    const project = await this.projects.serialOf(owned)
    const samples = await this.failures.listOfRequest(project, requestId)
    if (samples.length === 0) throw unknownFailure()
    return samples.map(describeSample)
  }

  async removeExpired(): Promise<void> {
    const now = this.clock.now().getTime()
    await this.failures.removeBefore({ samples: new Date(now - SAMPLE_DAYS * DAY_MS), counts: new Date(now - COUNT_DAYS * DAY_MS) })
  }
}

function describeSample({ project: _, time, detail, ...sample }: FailureSample): FailedCall {
  const { attempts, ...rest } = detail
  return {
    ...sample,
    ...rest,
    time: time.toISOString(),
    kind: failureKindOf(sample.code),
    ...(attempts && { attempts: [...attempts] }),
  }
}

function invalidCursor(): Problem {
  return new Problem('invalid', 'InvalidCursor', 'The cursor does not come from an earlier response.')
}

function unknownFailure(): Problem {
  return new Problem(
    'unknown',
    'UnknownFailure',
    `No sample is kept of this request: its calls succeeded, failed like many others at the same time, or are older than ${SAMPLE_DAYS} days; or the project keeps no samples.`,
  )
}
