import { Agent } from 'node:http'
import { type AgentOptions, Agent as SecureAgent } from 'node:https'
import type { TlsFiles } from '@trestle/runtime/tls/tls-files.engine'

// Below the idle time of any service, so that this side closes an idle connection.
const KEPT: AgentOptions = { keepAlive: true, timeout: 4000, maxFreeSockets: 256 }

export interface Agents {
  readonly pooled: Agent
  /** Makes a new connection for each request. */
  readonly fresh: Agent
}

const PLAIN: Agents = { pooled: new Agent(KEPT), fresh: new Agent({ keepAlive: false }) }

/** The connections to services. */
export class ServiceAgents {
  private secure: Agents

  constructor(files?: TlsFiles) {
    this.secure = secureAgents(files)
    // Kept connections of the former agents end on their own.
    files?.onRenewal(() => {
      this.secure = secureAgents(files)
    })
  }

  of({ protocol }: URL): Agents {
    return protocol === 'https:' ? this.secure : PLAIN
  }
}

function secureAgents(files?: TlsFiles): Agents {
  return { pooled: new SecureAgent({ ...KEPT, ...files?.material }), fresh: new SecureAgent({ keepAlive: false, ...files?.material }) }
}
