import { Alert } from '@mantine/core'
import { ProblemNotice } from '../parts/problem-notice.js'
import { ethereumTexts } from '../texts/ethereum.js'
import type { ProjectForm } from './project-form.js'

/** Why a form was refused: a count where its fields show the mistakes, the whole problem otherwise. */
export function FormProblem({ error, mistakes }: { error: unknown; mistakes: Partial<Record<keyof ProjectForm, string>> }) {
  if (!error) return null
  if (Object.keys(mistakes).length === 0) return <ProblemNotice error={error} />
  return (
    <Alert color="red" variant="light" role="alert">
      {ethereumTexts.fields.mistaken(Object.keys(mistakes).length)}
    </Alert>
  )
}
