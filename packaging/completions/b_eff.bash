# For bash: options of b_eff, b_eff_io and b_pairs, and words that they take, as --help has them.
_beff_program() {
  local help
  help=$("$1" --help 2>/dev/null) || return
  if [[ $2 == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$help")" -- "$2")
  elif [[ $3 == --* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n "s/^  $3 \([a-z0-9.|-]*|[a-z0-9.|-]*\)  .*/\1/p" <<<"$help" | tr '|' ' ')" -- "$2")
  fi
}
complete -o default -F _beff_program b_eff b_eff_io b_pairs
