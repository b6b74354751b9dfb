import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import { Authenticator } from '@trestle/auth/authenticator'
import { Problem } from '@trestle/problem/problem'
import { CODE, RpcFailure } from '../framing/rpc-error.js'
import { checkRequest } from '../projects/access.js'
import type { LiveProject } from '../projects/live-project.js'
import { LiveProjects } from '../projects/live-projects.engine.js'

/** Where a request, or a WebSocket, comes from. */
export interface Origin {
  readonly raw: IncomingMessage
  readonly ip: string
}

/** Lets in who may use a project. */
@Injectable()
export class Admission {
  constructor(
    private readonly projects: LiveProjects,
    private readonly authenticator: Authenticator,
  ) {}

  /** The project of this id; at once where it is known. */
  find(id: string): LiveProject | Promise<LiveProject> {
    const found = this.projects.get(id)
    return found instanceof Promise ? found.then(existing) : existing(found)
  }

  /** Throws an RpcFailure; a promise only where a token has to be looked at. */
  admit(project: LiveProject, from: Origin): void | Promise<void> {
    // Behind proxies it takes a while to tell from which address a request comes.
    if (project.origins || project.ips) checkRequest(project, { origin: from.raw.headers.origin, address: from.ip })
    if (project.requireToken) return this.checkToken(project, from)
  }

  /** Whether nothing has to be looked at that takes time. Who is not let in is told so by `admit`. */
  admitsAtOnce({ origins, ips, requireToken, ownerId }: LiveProject, request: IncomingMessage): boolean {
    if (origins || ips) return false
    return !requireToken || this.authenticator.known(request, 'client')?.userId === ownerId
  }

  private async checkToken({ ownerId }: LiveProject, from: Origin): Promise<void> {
    try {
      const { userId } = await this.authenticator.authenticate(from, 'client')
      if (userId !== ownerId) throw refused('the token is not of the owner of this project', 403)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new RpcFailure({ code: CODE.unauthorized, message: error.detail }, error.status, error.headers)
    }
  }
}

function existing(project: LiveProject | undefined): LiveProject {
  if (project) return project
  throw refused('there is no such project', 404)
}

function refused(message: string, status: 403 | 404): RpcFailure {
  return new RpcFailure({ code: CODE.unauthorized, message }, status)
}
