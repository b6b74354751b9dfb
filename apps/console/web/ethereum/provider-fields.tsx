import { Fieldset, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { type FieldChange, textField } from '../parts/form.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { projectAccessTexts } from '../texts/project-access.js'
import { limitOf, type ProjectForm } from './project-form.js'

const texts = projectAccessTexts.provider

interface ProviderFieldsProps {
  form: ProjectForm
  mistakes: Partial<Record<keyof ProjectForm, string>>
  dispatch: (event: FieldChange<ProjectForm>) => void
}

/** The identity provider whose tokens let callers in. Without a required token it has no effect. */
export function ProviderFields({ form, mistakes, dispatch }: ProviderFieldsProps) {
  return (
    <Fieldset legend={texts.legend}>
      <Stack>
        <Text size="sm" c="dimmed">
          {form.requireToken ? texts.hint : texts.needsToken}
        </Text>
        {(['jwksUrl', 'issuer', 'audience'] as const).map((field) => (
          <TextInput
            key={field}
            {...textField(form, dispatch, field)}
            label={texts[field].label}
            description={texts[field].hint}
            placeholder={texts[field].example}
            error={mistakes[field]}
            disabled={!form.requireToken}
          />
        ))}
        <NumberInput
          label={texts.perCaller}
          description={texts.perCallerHint}
          value={form.perCaller}
          onChange={(value) => dispatch({ type: 'changed', field: 'perCaller', value: limitOf(value) })}
          error={mistakes.perCaller}
          min={1}
          allowDecimal={false}
          thousandSeparator=","
          placeholder={ethereumTexts.fields.limits.none}
          disabled={!form.requireToken}
        />
      </Stack>
    </Fieldset>
  )
}
