// Two sets for one device, one on top of the other, and one for another device.
amp.policy_set @base device("cuda") extends @torch_cuda {
  amp.policy "aten.mm" fp32
  amp.policy "aten.exp" fallthrough
}
amp.policy_set @top device("cuda") extends @base {
  amp.policy "aten.exp" lower_precision_fp
}
amp.policy_set @other device("cpu") extends @torch_cpu {
  amp.policy "aten.mm" fp32
}
