import { Checkbox, Fieldset, Stack, Text } from '@mantine/core'
import type { MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import type { FieldChange } from '../parts/form.js'
import { projectAccessTexts } from '../texts/project-access.js'
import type { ProjectForm } from './project-form.js'

const texts = projectAccessTexts.namespaces

interface NamespaceFieldsProps {
  form: ProjectForm
  mistakes: Partial<Record<keyof ProjectForm, string>>
  dispatch: (event: FieldChange<ProjectForm>) => void
  /** With what was granted to the user; undefined while that is not known. */
  max?: MaxLimits
}

/** Which methods beyond the usual ones may be called; nothing where the user was granted none. */
export function NamespaceFields({ form, mistakes, dispatch, max }: NamespaceFieldsProps) {
  const granted = max?.namespaces ?? []
  const shown = [...new Set([...granted, ...form.namespaces])]
  if (shown.length === 0) return null
  return (
    <Fieldset legend={texts.legend}>
      <Checkbox.Group
        value={[...form.namespaces]}
        onChange={(value) => dispatch({ type: 'changed', field: 'namespaces', value })}
        error={mistakes.namespaces}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.hint}
          </Text>
          {shown.map((namespace) => (
            <Checkbox
              key={namespace}
              value={namespace}
              label={namespace}
              description={max && !granted.includes(namespace) ? texts.notGranted : texts.about[namespace]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Fieldset>
  )
}
