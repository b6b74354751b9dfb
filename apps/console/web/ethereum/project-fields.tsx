import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import type { MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import { METHOD_DESCRIPTIONS } from '@trestle/contracts/eth-rpc/method-descriptions'
import { formatCount } from '../parts/amount.js'
import { type FieldChange, textField } from '../parts/form.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { NamespaceFields } from './namespace-fields.js'
import { LISTS, type ListName, limitOf, type ProjectForm } from './project-form.js'
import { ProviderFields } from './provider-fields.js'
import { QuorumFields } from './quorum-fields.js'

const texts = ethereumTexts.fields

interface FieldsProps {
  form: ProjectForm
  mistakes: Partial<Record<keyof ProjectForm, string>>
  dispatch: (event: FieldChange<ProjectForm>) => void
  /** How high the limits may be set; undefined while that is not known. */
  max?: MaxLimits
}

/** Every setting of a project. */
export function ProjectFields(props: FieldsProps) {
  const { form, mistakes, dispatch } = props
  return (
    <Stack>
      <TextInput
        {...textField(form, dispatch, 'name')}
        label={texts.name.label}
        description={texts.name.hint}
        error={mistakes.name}
        maxLength={100}
        required
      />
      <LimitFields {...props} />
      <AccessFields {...props} />
      <NamespaceFields {...props} />
      <ProviderFields {...props} />
      <QuorumFields {...props} />
      <Checkbox
        label={texts.failureSamples.label}
        description={texts.failureSamples.hint}
        checked={form.failureSamples}
        onChange={(event) => dispatch({ type: 'changed', field: 'failureSamples', value: event.currentTarget.checked })}
      />
    </Stack>
  )
}

function LimitFields({ form, mistakes, dispatch, max }: FieldsProps) {
  return (
    <Fieldset legend={texts.limits.legend}>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.limits.hint} {max && texts.limits.max(formatCount(max.perSecond), formatCount(max.perDay))}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['perSecond', 'perDay'] as const).map((field) => (
          <NumberInput
            key={field}
            label={texts.limits[field]}
            value={form[field]}
            onChange={(value) => dispatch({ type: 'changed', field, value: limitOf(value) })}
            error={mistakes[field]}
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            placeholder={texts.limits.usual}
          />
        ))}
        {(['perAddress', 'perSender'] as const).map((field) => (
          <NumberInput
            key={field}
            label={texts.limits[field]}
            description={texts.limits.hints[field]}
            value={form[field]}
            onChange={(value) => dispatch({ type: 'changed', field, value: limitOf(value) })}
            error={mistakes[field]}
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            placeholder={texts.limits.none}
          />
        ))}
      </SimpleGrid>
      <TagsInput
        mt="sm"
        label={texts.limits.methods.label}
        description={texts.limits.methods.hint}
        placeholder={form.methodLimits.length === 0 ? texts.limits.methods.example : undefined}
        value={[...form.methodLimits]}
        onChange={(value) => dispatch({ type: 'changed', field: 'methodLimits', value })}
        error={mistakes.methodLimits}
        splitChars={[',', ' ']}
        maxTags={20}
        acceptValueOnBlur
        clearable
        clearButtonProps={{ 'aria-label': texts.clear(texts.limits.methods.label) }}
      />
    </Fieldset>
  )
}

function AccessFields({ form, mistakes, dispatch }: FieldsProps) {
  return (
    <Fieldset legend={texts.access.legend}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.access.hint}
        </Text>
        <Checkbox
          label={texts.requireToken.label}
          description={texts.requireToken.hint}
          checked={form.requireToken}
          onChange={(event) => dispatch({ type: 'changed', field: 'requireToken', value: event.currentTarget.checked })}
        />
        {LISTS.map((list) => (
          <List
            key={list}
            list={list}
            values={form[list]}
            error={mistakes[list]}
            onChange={(value) => dispatch({ type: 'changed', field: list, value })}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

interface ListProps {
  list: ListName
  values: readonly string[]
  error?: string
  onChange: (values: string[]) => void
}

function List({ list, values, error, onChange }: ListProps) {
  const { label, hint, example } = texts[list]
  return (
    <TagsInput
      label={label}
      description={hint}
      placeholder={values.length === 0 ? example : undefined}
      value={[...values]}
      onChange={onChange}
      error={error}
      data={list === 'allowedMethods' ? METHOD_DESCRIPTIONS.map(({ name }) => name) : []}
      splitChars={[',', ' ']}
      maxTags={30}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': texts.clear(label) }}
    />
  )
}
