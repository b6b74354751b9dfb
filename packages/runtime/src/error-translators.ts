import { Injectable } from '@nestjs/common'
import type { Problem } from '@trestle/problem/problem'

type ErrorTranslator = (error: unknown) => Problem | undefined

/** Packages add what the errors of their libraries mean to callers; the first that recognizes an error wins. */
@Injectable()
export class ErrorTranslators {
  private readonly translators: ErrorTranslator[] = []

  add(translator: ErrorTranslator): void {
    this.translators.push(translator)
  }

  translate(error: unknown): Problem | undefined {
    for (const translator of this.translators) {
      const problem = translator(error)
      if (problem) return problem
    }
    return undefined
  }
}
