import {
  Autocomplete,
  Box,
  type ComboboxParsedItem,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { METHOD_DESCRIPTIONS, type Parameter } from '@trestle/contracts/eth-rpc/method-descriptions'
import { ethereumTexts } from '../../texts/ethereum.js'
import { parameterMistakes, parseParams, valuesFromParams } from './params.js'
import type { CallDraft, PlaygroundEvent, PlaygroundForm } from './playground-form.js'

const texts = ethereumTexts.playground

interface CallFieldsProps {
  form: PlaygroundForm
  dispatch: (event: PlaygroundEvent) => void
}

/** The method and its parameters. */
export function CallFields({ form, dispatch }: CallFieldsProps) {
  const { draft, isTried } = form
  const { method } = draft
  return (
    <Stack>
      <Select
        label={texts.method}
        data={METHOD_DESCRIPTIONS.map(({ name }) => name)}
        description={method.summary}
        value={method.name}
        onChange={(name) => name && dispatch({ type: 'chose method', name })}
        allowDeselect={false}
        searchable
        nothingFoundMessage={texts.noMethod}
      />
      {method.parameters && <FormChoice draft={draft} dispatch={dispatch} />}
      {draft.form === 'json' ? (
        <Textarea
          label={texts.params}
          description={texts.paramsHint}
          value={draft.json}
          onChange={(event) => dispatch({ type: 'typed JSON', json: event.currentTarget.value })}
          error={isTried && !parseParams(draft.json) && texts.mistakes.params}
          rows={8}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      ) : (
        <Fields form={form} dispatch={dispatch} />
      )}
    </Stack>
  )
}

function FormChoice({ draft, dispatch }: { draft: CallDraft } & Pick<CallFieldsProps, 'dispatch'>) {
  const { form, json, method } = draft
  const fits = form === 'fields' || valuesFromParams(method.parameters ?? [], parseParams(json)) !== undefined
  return (
    <Box>
      <SegmentedControl
        aria-label={texts.form}
        value={form}
        onChange={() => dispatch({ type: 'switched form' })}
        data={[
          { value: 'fields', label: texts.fields, disabled: !fits },
          { value: 'json', label: texts.json },
        ]}
      />
      {!fits && (
        <Text size="sm" c="dimmed">
          {texts.doesNotFit}
        </Text>
      )}
    </Box>
  )
}

function Fields({ form: { draft, isTried }, dispatch }: CallFieldsProps) {
  const { parameters = [] } = draft.method
  const mistakes = parameterMistakes(parameters, draft.values)
  if (parameters.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noParams}
      </Text>
    )
  return parameters.map((parameter, index) => {
    const mistake = mistakes[index]
    return (
      <Field
        key={parameter.name}
        parameter={parameter}
        value={draft.values[index] ?? ''}
        error={isTried && mistake ? texts.mistakes[mistake] : undefined}
        onChange={(value) => dispatch({ type: 'typed value', index, value })}
      />
    )
  })
}

interface FieldProps {
  parameter: Parameter
  value: string
  error?: string
  onChange: (value: string) => void
}

function Field({ parameter: { name, kind, optional }, value, error, onChange }: FieldProps) {
  const label = texts.parameters[name] ?? name
  if (kind === 'flag')
    return <Switch label={label} checked={value === 'true'} onChange={(event) => onChange(String(event.currentTarget.checked))} />
  const shared = {
    label,
    description: texts.kinds[kind],
    error,
    value,
    required: !optional,
    spellCheck: false,
    classNames: { input: 'mono' },
  }
  if (kind === 'block') return <Autocomplete {...shared} onChange={onChange} data={texts.tags} filter={suggested} />
  if (kind === 'json') return <Textarea {...shared} rows={4} onChange={(event) => onChange(event.currentTarget.value)} />
  return <TextInput {...shared} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />
}

/** All tags while one of them is the value; else those that begin with the text, so that no list covers a number. */
function suggested({ options, search }: { options: ComboboxParsedItem[]; search: string }): ComboboxParsedItem[] {
  if (texts.tags.includes(search)) return options
  return options.filter((option) => 'value' in option && String(option.value).startsWith(search))
}
