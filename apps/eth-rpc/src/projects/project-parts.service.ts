import { Injectable } from '@nestjs/common'
import { UsageService } from '@trestle/usage/usage.service'
import { CallLedger } from '../call-limits/call-ledger.engine.js'
import { ForeignTokenVerifier } from '../foreign-tokens/foreign-tokens.engine.js'
import { KeyUseBook } from '../keys/key-use-book.engine.js'
import type { PresentedKey } from '../keys/project-key.js'
import type { CallSum } from '../usage/project-usage.js'
import { callRulesIn, type ProjectParts } from './live-project.js'
import type { StoredProject } from './project.js'

/** What the calls of projects are counted, limited and let in by, and the uses of their keys noted. */
@Injectable()
export class ProjectPartsService {
  constructor(
    private readonly usage: UsageService<number, CallSum>,
    private readonly keyUses: KeyUseBook,
    private readonly callLedger: CallLedger,
    private readonly foreignTokens: ForeignTokenVerifier,
  ) {}

  /** Of the id only its end is recorded, and of a key its number. */
  of(project: StoredProject, key: PresentedKey | undefined): ProjectParts {
    const { serial, id, ownerId, organizationId } = project
    const rules = callRulesIn(project)
    const params = { projectId: `...${id.slice(-4)}`, ...(key && { keyNumber: String(key.number) }) }
    return {
      tokens: project.tokens && this.foreignTokens.of(project.tokens),
      callLimits: rules && this.callLedger.of({ serial, rules }),
      meter: this.usage.meterOf({ of: serial, ownerId, organizationId, params }),
      key: key && { number: key.number, name: key.name, uses: this.keyUses.meterOf(serial, key.number) },
    }
  }
}
